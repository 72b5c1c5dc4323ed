import Foundation
import Pictures

/// What a product must look like. Always: one to five pictures; of `training` and `open`, no negative number. In strict mode also
/// what was documented for the edition and the live data disproves (see Protocol).
struct Rules: Hashable, Sendable {
  static let pictures = 1...5
  let edition: ServedEdition
  let strict: Bool

  func check(_ product: NewProduct) throws(Refusal) {
    try check(
      name: product.name, description: product.description, price: product.price, discount: product.discount,
      currency: product.currency, stock: product.stock)
  }

  func check(_ product: ProductRow) throws(Refusal) {
    try check(
      name: product.name, description: product.description, price: product.price, discount: product.discount,
      currency: product.currency, stock: product.stock)
  }

  func checkPictureCount(_ count: Int) throws(Refusal) {
    if count < Rules.pictures.lowerBound { throw .missingPart("images") }
    if count > Rules.pictures.upperBound { throw .malformed("The number of images must be 5 or less") }
  }

  func check(picture bytes: Data) throws(Refusal) {
    guard strict else { return }
    if bytes.count >= 300 * 1024 { throw .malformed("Each image must be smaller than 300 KB") }
    if PictureFormat.detect(bytes) == nil { throw .malformed("Images must be jpg, jpeg or png") }
  }

  private func check(
    name: String, description: String, price: ExactNumber, discount: ExactNumber, currency: String, stock: Int64
  ) throws(Refusal) {
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

  private func checkSigns(price: ExactNumber, stock: Int64) throws(Refusal) {
    if price.isNegative { throw .malformed("price: must be greater than or equal to 0") }
    if stock < 0 { throw .malformed("stock: must be greater than or equal to 0") }
  }
}

/// What every edition works with: the store, the pictures, the rules and a clock; made once when the market starts.
struct ServerDependencies: Sendable {
  let store: Store
  let studio: PictureStudio
  let rules: Rules
  let quirks: Quirks
  let clock: @Sendable () -> MarketTime

  /// A fresh time-based identifier.
  func identifier() -> UUIDv1 {
    UUIDv1(at: clock(), random: UInt64.random(in: .min ... .max))
  }
}
