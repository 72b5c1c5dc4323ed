import Catalog
import Networking

extension JSONObject {
  /// The product's number, which a row cannot do without.
  func id() throws(JSONFault) -> Product.ID {
    guard let id = try int("id") else { throw JSONFault(field: "id", found: .null) }
    return id
  }

  func amount(_ key: String) throws(JSONFault) -> Amount? { try decimal(key).map { Amount($0) } }

  /// A date in one of the markets' patterns. Another is left out: no decision hangs on it, and the product is worth more.
  func moment(_ key: String) -> Moment? { (try? string(key)).flatMap { Moment($0) } }
}

extension JSON {
  /// The exact digits of an amount.
  static func amount(_ amount: Amount) -> JSON {
    JSONNumber(amount.description).map { .number($0) } ?? .string(amount.description)
  }
}
