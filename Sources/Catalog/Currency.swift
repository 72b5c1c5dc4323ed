/// A currency code as the server wrote it.
///
/// An unknown code is shown, never dropped.
package struct Currency: Hashable, Sendable, CustomStringConvertible {
  package let code: String
  package init(_ code: String) { self.code = code }

  package static let krw = Currency("KRW")
  package static let usd = Currency("USD")
  package static let jpy = Currency("JPY")
  package static let hkd = Currency("HKD")

  /// The currencies named in the API's documentation.
  ///
  /// A write with another currency needs confirmation.
  package static let documented: [Currency] = [.krw, .usd, .jpy, .hkd]

  package var isDocumented: Bool { Currency.documented.contains(self) }

  /// The number of decimals (ISO 4217 minor unit) of its prices, or `nil` for an unknown currency.
  package var minorUnitDigits: Int? {
    switch self {
    case .krw, .jpy: 0
    case .usd, .hkd: 2
    default: nil
    }
  }

  package var description: String { code }
}
