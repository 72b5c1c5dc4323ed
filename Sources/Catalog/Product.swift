/// A product in the terms shared by all editions.
///
/// Values that an edition doesn't provide are `nil`.
package struct Product: Hashable, Sendable {
  package typealias ID = Int

  package var id: ID
  package var name: String?
  package var description: String?
  /// The list price.
  package var price: Amount?
  /// The amount subtracted from the list price.
  package var discount: Amount?
  /// The price that a buyer pays, always `price - discount`.
  package var sale: Amount?
  package var currency: Currency?
  package var stock: Int?
  /// The vendor's name.
  package var vendor: String?
  package var vendorID: Int?
  package var created: Timestamp?
  package var modified: Timestamp?
  /// The URL of the small picture.
  package var thumbnailURL: String?
  /// The pictures, or `nil` in a row of a list, which doesn't contain them.
  package var images: [Picture]?

  /// The picture whose small version is the product's thumbnail, if the pictures are known.
  package var coverPicture: Picture? { images?.first { $0.thumbnailURL != nil && $0.thumbnailURL == thumbnailURL } }

  package init(
    id: ID, name: String? = nil, description: String? = nil, price: Amount? = nil, discount: Amount? = nil,
    sale: Amount? = nil, currency: Currency? = nil, stock: Int? = nil, vendor: String? = nil, vendorID: Int? = nil,
    created: Timestamp? = nil, modified: Timestamp? = nil, thumbnailURL: String? = nil, images: [Picture]? = nil
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
    self.thumbnailURL = thumbnailURL
    self.images = images
  }
}

extension Product {
  /// Returns the same product with its strings sharing the storage of equal strings in `other`.
  ///
  /// A product is often stored twice, before and after a write; its texts then use memory once.
  package func sharingStringStorage(with other: Product) -> Product {
    var shared = self
    shared.name = name.shared(with: other.name)
    shared.description = description.shared(with: other.description)
    shared.vendor = vendor.shared(with: other.vendor)
    shared.thumbnailURL = thumbnailURL.shared(with: other.thumbnailURL)
    shared.images = images?.map { picture in
      Picture(id: picture.id, url: picture.url, thumbnailURL: picture.thumbnailURL.shared(with: shared.thumbnailURL))
    }
    return shared
  }
}

extension String? {
  /// Returns `other` if both texts are equal byte for byte.
  ///
  /// `==` would also accept another Unicode normalization form.
  fileprivate func shared(with other: String?) -> String? {
    guard let text = self, let other, text.utf8.elementsEqual(other.utf8) else { return self }
    return other
  }
}

/// A picture of a product that is stored on the server: its id, and the URLs of the original and the small version.
package struct Picture: Hashable, Sendable {
  package var id: Int?
  package var url: String
  package var thumbnailURL: String?

  package init(id: Int? = nil, url: String, thumbnailURL: String? = nil) {
    self.id = id
    self.url = url
    self.thumbnailURL = thumbnailURL
  }
}

/// A vendor: the number and the name that the server assigns.
package struct Vendor: Hashable, Sendable {
  package var id: Int
  package var name: String?

  package init(id: Int, name: String? = nil) {
    self.id = id
    self.name = name
  }
}

/// A row of a list that couldn't be decoded, with the id of its product if the row contains one.
package struct UndecodableRow: Hashable, Sendable {
  /// The position within the page, beginning at 1.
  package var position: Int
  package var id: Product.ID?
  /// The invalid member, as it is named in the JSON, or `nil` if the row isn't an object.
  package var field: String?
  /// The description of the problem, which may quote the server's text.
  package var reason: String

  package init(position: Int, id: Product.ID?, field: String?, reason: String) {
    self.position = position
    self.id = id
    self.field = field
    self.reason = reason
  }
}

/// A page of a list as the server sent it.
///
/// Counts that the edition doesn't provide are `nil`.
package struct Page: Hashable, Sendable {
  /// The page number, beginning at 1.
  package var number: Int
  /// The requested number of products per page.
  ///
  /// A server may return more or fewer.
  package var size: Int?
  package var total: Int?
  package var last: Int?
  package var hasNext: Bool?
  package var hasPrevious: Bool?
  /// The products without duplicates: every id appears once.
  package var products: [Product]
  /// The rows that couldn't be decoded.
  ///
  /// The others are shown nevertheless.
  package var broken: [UndecodableRow]
  /// A Boolean value that indicates a page of the matches of a full scan: `total` and `last` count the matches.
  package var isFiltered = false
  /// The ids of all decodable rows in their order, if `products` contains only the rows that passed a filter.
  package var allIDs: [Product.ID]?

  /// The ids of all decodable rows, in their order.
  package var ids: [Product.ID] { allIDs ?? products.map(\.id) }

  package init(
    number: Int, size: Int? = nil, total: Int? = nil, last: Int? = nil, hasNext: Bool? = nil,
    hasPrevious: Bool? = nil, products: [Product], broken: [UndecodableRow] = [],
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
