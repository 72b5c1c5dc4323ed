import Foundation
import GRDB
import Images

/// The validation of products: one to five pictures, and in `training` and `open` no negative numbers.
///
/// In strict mode, also the documented rules of the edition that the live data contradicts (see Protocol).
struct ProductValidator: Hashable, Sendable {
  static let pictures = 1...5
  let edition: ServedEdition
  let strict: Bool

  func check(_ product: NewProduct) throws(MarketHTTPError) {
    try check(
      name: product.name, description: product.description, price: product.price, discount: product.discount,
      currency: product.currency, stock: product.stock)
  }

  func check(_ product: ProductRow) throws(MarketHTTPError) {
    try check(
      name: product.name, description: product.description, price: product.price, discount: product.discount,
      currency: product.currency, stock: product.stock)
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

  private func check(
    name: String, description: String, price: DecimalPrice, discount: DecimalPrice, currency: String, stock: Int64
  ) throws(MarketHTTPError) {
    switch edition {
    case .camp1, .camp2:
      guard strict else { return }
      try checkSigns(price: price, stock: stock)
      if discount.isNegative || discount > price {
        throw .malformed("discounted_price must be between 0 and price")
      }
    case .training, .open:
      try checkSigns(price: price, stock: stock)
      if discount.isNegative { throw .malformed("discounted_price: must be greater than or equal to 0") }
      guard strict else { return }
      if !(3...100).contains(name.count) { throw .malformed("name: size must be between 3 and 100") }
      if !(10...1000).contains(description.count) { throw .malformed("description: size must be between 10 and 1000") }
      if discount > price { throw .malformed("discounted_price: must be less than or equal to price") }
      if !["KRW", "USD", "JPY", "HKD"].contains(currency) {
        throw .malformed("currency: must be KRW, USD, JPY or HKD")
      }
    }
  }

  private func checkSigns(price: DecimalPrice, stock: Int64) throws(MarketHTTPError) {
    if price.isNegative { throw .malformed("price: must be greater than or equal to 0") }
    if stock < 0 { throw .malformed("stock: must be greater than or equal to 0") }
  }
}
