import Foundation
import GRDB
import Pictures

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

/// The dependencies of the editions: the store, the pictures, the rules and a clock.
///
/// Created once when the market starts.
struct ServerDependencies: Sendable {
  let store: Store
  let studio: PictureRenderer
  let rules: ProductValidator
  let quirks: KnownBugs
  let clock: @Sendable () -> MarketTime

  /// Returns a new time-based identifier.
  func identifier() -> UUIDv1 {
    UUIDv1(at: clock(), random: UInt64.random(in: .min ... .max))
  }
}

/// The known faults of the real servers, for clients to prove that they cope; each is documented in Protocol.
struct KnownBugs: Hashable, Sendable {
  let isOn: Bool

  /// Returns the number of rows of a page: in November 2022 `open` used the end index as the page size, so page 3 of 20
  /// had 60 rows.
  func count(page: Int64, size: Int64, of kind: VendorEditionKind) -> Int64 {
    isOn && kind == .open ? min(page * size, 10_000) : size
  }

  /// Returns the status of an edit: in 2023 some requests of `open` returned 202; it is not recorded which.
  func status(of kind: VendorEditionKind) -> Int { isOn && kind == .open ? 202 : 200 }

  /// Returns true if a picture is not available yet: in 2021 that took a second after the response that named it.
  func isLate(_ picture: PictureRow, at now: MarketTime) -> Bool {
    isOn && picture.motif == nil && now < picture.issued.adding(seconds: 1)
  }

  /// Replaces members of old rows with null.
  ///
  /// Rows of `training` from its first days had null in members that are never null otherwise, until they were edited;
  /// none of the 561 captured rows of `open` has.
  func aged(_ text: [UInt8], of kind: VendorEditionKind, edited: Set<Int64>) -> [UInt8] {
    guard isOn && kind == .training, let json = try? WireJSONReader.read(text) else { return text }
    return aged(json, edited: edited).bytes
  }

  private func aged(_ json: WireJSON, edited: Set<Int64>) -> WireJSON {
    switch json {
    case .list(let elements): return .list(elements.map { aged($0, edited: edited) })
    case .object(let members):
      let id: Int64? = if case .number(let digits)? = json["id"] { Int64(digits) } else { nil }
      // Only a product has a currency.
      let missing = json["currency"] == nil || edited.contains(id ?? 0) ? [] : KnownBugs.missing(in: id ?? .max)
      return .object(
        members.map { member in
          WireJSON.Member(
            member.key, missing.contains(member.key) ? .null : aged(member.value, edited: edited))
        })
    case .null, .bool, .number, .text: return json
    }
  }

  /// Returns the edited products among the old ones.
  func edited(of kind: VendorEditionKind, in database: Database) throws -> Set<Int64> {
    guard isOn && kind == .training else { return [] }
    return try Int64.fetchSet(
      database, sql: "SELECT DISTINCT product FROM effects WHERE kind = 'edit' AND product <= \(KnownBugs.oldest)")
  }

  private static let oldest: Int64 = 10

  private static func missing(in id: Int64) -> Set<String> {
    switch id {
    case 1...2: ["name", "description", "thumbnail", "price", "bargain_price", "discounted_price", "stock"]
    case 3...5: ["description", "price", "bargain_price", "discounted_price", "stock"]
    case 6...oldest: ["description", "thumbnail"]
    default: []
    }
  }
}

/// One of the two editions of 2021.
enum CampEditionKind: String, Sendable {
  case camp1
  case camp2
}

/// One of the two editions with vendors.
enum VendorEditionKind: Sendable {
  case training
  case open
}
