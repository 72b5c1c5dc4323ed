/// A field of a product, named by the word users type, which is the same in every edition.
///
/// The order of the cases is that of the data formats.
package enum ProductField: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
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

  /// The word that users type.
  package var description: String { rawValue }

  /// The fields that a vendor can set; `images` only in editions that support it.
  package static let writable: [ProductField] = [
    .name, .description, .price, .discount, .currency, .stock, .thumbnail, .images,
  ]
}
