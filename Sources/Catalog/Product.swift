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
  func shared(with other: String?) -> String? {
    guard let text = self, let other, text.utf8.elementsEqual(other.utf8) else { return self }
    return other
  }
}

/// A product to be created: all required fields, and its pictures, beginning with the thumbnail.
package struct ProductDraft: Hashable, Sendable {
  package var name: String
  package var description: String
  package var price: Amount
  package var discount: Amount
  package var currency: Currency
  package var stock: Int
  package var pictures: [PictureFile]
  /// The id of the deleted product that this one restores.
  ///
  /// Later references to that id mean the new product.
  package var replaces: Product.ID?

  package init(
    name: String, description: String, price: Amount, discount: Amount = .zero, currency: Currency, stock: Int = 0,
    pictures: [PictureFile]
  ) {
    self.name = name
    self.description = description
    self.price = price
    self.discount = discount
    self.currency = currency
    self.stock = stock
    self.pictures = pictures
  }

  /// Creates a product from the values that it must have, and from all others that `values` has.
  package init(
    name: String, description: String, price: Amount, currency: Currency, pictures: [PictureFile],
    others values: ProductValues
  ) {
    self.init(
      name: name, description: description, price: price, discount: values.discount ?? .zero, currency: currency,
      stock: values.stock ?? 0, pictures: pictures)
  }

  /// Returns the value of a field, or `nil` for the images and for a field that a new product doesn't have.
  package subscript(field: ProductField) -> FieldValue? {
    switch field {
    case .name: .text(name)
    case .description: .text(description)
    case .price: .amount(price)
    case .discount: .amount(discount)
    case .currency: .text(currency.code)
    case .stock: .number(stock)
    case .id, .sale, .vendor, .vendorID, .created, .modified, .thumbnail, .images: nil
    }
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
