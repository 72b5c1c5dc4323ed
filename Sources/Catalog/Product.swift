/// One product of a market, in the words every edition shares; what an edition does not give is nil.
package struct Product: Hashable, Sendable {
  package typealias ID = Int

  package var id: ID
  package var name: String?
  package var description: String?
  /// The list price.
  package var price: Amount?
  /// The amount taken off.
  package var discount: Amount?
  /// What a buyer pays, always `price - discount`.
  package var sale: Amount?
  package var currency: Currency?
  package var stock: Int?
  /// The vendor's name.
  package var vendor: String?
  package var vendorID: Int?
  package var created: Timestamp?
  package var modified: Timestamp?
  /// Address of the small picture.
  package var thumbnail: String?
  /// Nil in a list row: the list does not tell.
  package var images: [Picture]?

  /// The picture that stands for the product, where its pictures are known.
  package var cover: Picture? { images?.first { $0.thumbnail != nil && $0.thumbnail == thumbnail } }

  package init(
    id: ID, name: String? = nil, description: String? = nil, price: Amount? = nil, discount: Amount? = nil,
    sale: Amount? = nil, currency: Currency? = nil, stock: Int? = nil, vendor: String? = nil, vendorID: Int? = nil,
    created: Timestamp? = nil, modified: Timestamp? = nil, thumbnail: String? = nil, images: [Picture]? = nil
  ) {
    self.id = id
    self.name = name
    self.description = description
    self.price = price
    self.discount = discount
    self.sale = sale
    self.currency = currency
    self.stock = stock
    self.vendor = vendor
    self.vendorID = vendorID
    self.created = created
    self.modified = modified
    self.thumbnail = thumbnail
    self.images = images
  }
}

extension Product {
  /// The same product, whose texts are those of `other` where they are equal: what is held twice, before a write and after
  /// it, has its texts once.
  package func sharingTexts(with other: Product) -> Product {
    var shared = self
    shared.name = name.shared(with: other.name)
    shared.description = description.shared(with: other.description)
    shared.vendor = vendor.shared(with: other.vendor)
    shared.thumbnail = thumbnail.shared(with: other.thumbnail)
    shared.images = images?.map { picture in
      Picture(id: picture.id, url: picture.url, thumbnail: picture.thumbnail.shared(with: shared.thumbnail))
    }
    return shared
  }
}

extension String? {
  /// Byte for byte: `==` takes a letter for its decomposed form.
  fileprivate func shared(with other: String?) -> String? {
    guard let text = self, let other, text.utf8.elementsEqual(other.utf8) else { return self }
    return other
  }
}

/// A picture of a product that the market keeps: its own id, the original and the small one.
package struct Picture: Hashable, Sendable {
  package var id: Int?
  package var url: String
  package var thumbnail: String?

  package init(id: Int? = nil, url: String, thumbnail: String? = nil) {
    self.id = id
    self.url = url
    self.thumbnail = thumbnail
  }
}

/// Who sells: the number and name the market gives a vendor.
package struct Vendor: Hashable, Sendable {
  package var id: Int
  package var name: String?

  package init(id: Int, name: String? = nil) {
    self.id = id
    self.name = name
  }
}

/// A row of a listing that could not be read: which product, if the row told, and why.
package struct BrokenRow: Hashable, Sendable {
  /// From 1, within the page.
  package var position: Int
  package var id: Product.ID?
  /// The field at fault, as the wire spells it; nil when the row is no object at all.
  package var field: String?
  /// What is wrong with it; may quote the server's text.
  package var reason: String

  package init(position: Int, id: Product.ID?, field: String?, reason: String) {
    self.position = position
    self.id = id
    self.field = field
    self.reason = reason
  }
}

/// One page of a listing as the server gave it; counts that the edition does not tell are nil.
package struct Page: Hashable, Sendable {
  /// From 1.
  package var number: Int
  /// Products a page, as asked; a server may bring more or fewer.
  package var size: Int?
  package var total: Int?
  package var last: Int?
  package var hasNext: Bool?
  package var hasPrevious: Bool?
  /// Without doubles: an id appears once.
  package var products: [Product]
  /// Rows that could not be read; the others are shown all the same.
  package var broken: [BrokenRow]
  /// One page of what a reading of the whole list found: `total` and `last` count the matches.
  package var isOfMatches = false
  /// The ids of all rows that could be read, in their order, where `products` holds only those that were wanted.
  package var allIDs: [Product.ID]?

  /// The ids of all rows that could be read, in their order.
  package var ids: [Product.ID] { allIDs ?? products.map(\.id) }

  package init(
    number: Int, size: Int? = nil, total: Int? = nil, last: Int? = nil, hasNext: Bool? = nil,
    hasPrevious: Bool? = nil, products: [Product], broken: [BrokenRow] = [],
    allIDs: [Product.ID]? = nil
  ) {
    self.allIDs = allIDs
    self.number = number
    self.size = size
    self.total = total
    self.last = last
    self.hasNext = hasNext
    self.hasPrevious = hasPrevious
    self.products = products
    self.broken = broken
  }
}
