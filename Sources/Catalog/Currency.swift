/// The code of a currency, kept as the server wrote it: an unknown one is shown, never dropped.
package struct Currency: Hashable, Sendable, Codable, CustomStringConvertible {
  package let code: String
  package init(_ code: String) { self.code = code }

  package static let krw = Currency("KRW")
  package static let usd = Currency("USD")
  package static let jpy = Currency("JPY")
  package static let hkd = Currency("HKD")

  /// Those the API's document names; a write with another asks first.
  package static let documented: [Currency] = [.krw, .usd, .jpy, .hkd]

  package var isDocumented: Bool { Currency.documented.contains(self) }

  /// How many decimals its prices have in daily life; nil when unknown.
  package var decimals: Int? {
    switch self {
    case .krw, .jpy: 0
    case .usd, .hkd: 2
    default: nil
    }
  }

  package var description: String { code }

  package init(from decoder: any Decoder) throws { code = try decoder.singleValueContainer().decode(String.self) }
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(code)
  }
}
