/// A field of a product by the name people type, the same in every edition; the order is that of data formats.
package enum Field: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  case id
  case name
  case description
  case price
  case discount
  case sale
  case currency
  case stock
  case vendor
  case vendorID = "vendor_id"
  case created
  case modified
  case thumbnail
  case images

  /// The word people type.
  package var description: String { rawValue }

  /// Those a vendor can set; `images` only where the edition can.
  package static let writable: [Field] = [
    .name, .description, .price, .discount, .currency, .stock, .thumbnail, .images,
  ]
}

/// Values of writable fields: what a change sets, or what it found before; absent fields are left alone.
package struct Fields: Hashable, Sendable {
  package var name: String?
  package var description: String?
  package var price: Amount?
  package var discount: Amount?
  package var currency: Currency?
  package var stock: Int?
  /// The id of the picture that becomes the thumbnail.
  package var thumbnail: Int?
  /// The whole new set, first one the thumbnail; only the camp editions take one in a change.
  package var pictures: [PictureFile]?

  package init(
    name: String? = nil, description: String? = nil, price: Amount? = nil, discount: Amount? = nil,
    currency: Currency? = nil, stock: Int? = nil, thumbnail: Int? = nil,
    pictures: [PictureFile]? = nil
  ) {
    self.name = name
    self.description = description
    self.price = price
    self.discount = discount
    self.currency = currency
    self.stock = stock
    self.thumbnail = thumbnail
    self.pictures = pictures
  }

  package var isEmpty: Bool { self == Fields() }
}
