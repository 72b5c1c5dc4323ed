/// A field of a product by the name people type, the same in every edition; the order is that of data formats.
package enum Field: String, Hashable, Sendable, CaseIterable, Codable, CustomStringConvertible {
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
