import Foundation
import GRDB
import Images

/// The validation of products: one to five pictures, and in `training` and `open` no negative numbers.
///
/// In strict mode, also the documented rules of the edition that the live data contradicts (see Protocol).
struct ProductValidator: Hashable, Sendable {
  static let pictures = 1...5
  /// The documented lengths of `training` and `open`, in characters.
  static let nameLength = 3...100
  static let descriptionLength = 10...1000
  static let currencies = ["KRW", "USD", "JPY", "HKD"]
  /// The edition, or `nil` for an API that a file describes, which is checked where its requests are read.
  let edition: ServedEdition?
  let strict: Bool

  func check(_ product: NewProduct) throws(MarketHTTPError) {
    try check(
      name: product.name, description: product.description, price: product.price, discount: product.discount,
      currency: product.currency, stock: product.stock)
  }

  /// Checks the values that a change modifies.
  ///
  /// The others may be older than the rules: a product that was made without `--strict` can still be sold out.
  func check(_ product: ProductRow, changedFrom before: ProductRow) throws(MarketHTTPError) {
    let hasOtherPrice = product.price != before.price || product.discount != before.discount
    try check(
      name: product.name == before.name ? nil : product.name,
      description: product.description == before.description ? nil : product.description,
      price: hasOtherPrice ? product.price : nil, discount: hasOtherPrice ? product.discount : nil,
      currency: product.currency == before.currency ? nil : product.currency,
      stock: product.stock == before.stock ? nil : product.stock)
  }

  func checkPictureCount(_ count: Int) throws(MarketHTTPError) {
    if count < ProductValidator.pictures.lowerBound { throw .missingPart("images") }
    if count > ProductValidator.pictures.upperBound { throw .malformed("The number of images must be 5 or less") }
  }

  func check(picture bytes: Data) throws(MarketHTTPError) {
    guard strict else { return }
    if bytes.count >= 300 * 1024 { throw .malformed("Each image must be smaller than 300 KB") }
    if PictureFormat.detect(bytes) == nil { throw .malformed("Images must be jpg, jpeg or png") }
  }

  /// Checks the values that are not `nil`.
  private func check(
    name: String?, description: String?, price: DecimalPrice?, discount: DecimalPrice?, currency: String?, stock: Int64?
  ) throws(MarketHTTPError) {
    switch edition {
    case .camp1, .camp2:
      guard strict else { return }
      try checkSigns(price: price, stock: stock)
      if let price, let discount, discount.isNegative || discount > price {
        throw .malformed("discounted_price must be between 0 and price")
      }
    case nil: return
    case .training, .open:
      try checkSigns(price: price, stock: stock)
      if discount?.isNegative == true { throw .malformed("discounted_price: must be greater than or equal to 0") }
      guard strict else { return }
      try check(name, length: ProductValidator.nameLength, key: "name")
      try check(
        description, length: ProductValidator.descriptionLength,
        key: edition == .training ? "descriptions" : "description")
      if let price, let discount, discount > price {
        throw .malformed("discounted_price: must be less than or equal to price")
      }
      if let currency, !ProductValidator.currencies.contains(currency) {
        throw .malformed("currency: must be KRW, USD, JPY or HKD")
      }
    }
  }

  /// Checks a length in Unicode code points, as JSON Schema counts.
  private func check(_ text: String?, length: ClosedRange<Int>, key: String) throws(MarketHTTPError) {
    guard let text, !length.contains(text.unicodeScalars.count) else { return }
    throw .malformed("\(key): size must be between \(length.lowerBound) and \(length.upperBound)")
  }

  private func checkSigns(price: DecimalPrice?, stock: Int64?) throws(MarketHTTPError) {
    if price?.isNegative == true { throw .malformed("price: must be greater than or equal to 0") }
    if let stock, stock < 0 { throw .malformed("stock: must be greater than or equal to 0") }
  }
}
