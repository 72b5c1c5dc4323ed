import Foundation

/// An exact decimal number of money, never a binary fraction: `0.1 + 0.2` is `0.3`.
///
/// Text becomes an amount by the grammar of typed prices only, `0|[1-9][0-9]{0,14}` with up to 2 decimals.
package struct Amount: Hashable, Sendable, Comparable, CustomStringConvertible {
  package var value: Decimal

  package init(_ value: Decimal) { self.value = value }
  package init(_ value: Int) { self.value = Decimal(value) }

  /// Reads a typed price; nil for anything outside the grammar (`19,99`, `1e3`, `.5`, `+5`, ` 5`, `٣`).
  package init?(typed text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, (1...15).contains(whole.count), whole.allSatisfy(Amount.isDigit) else { return nil }
    if whole.count > 1, whole.first == UInt8(ascii: "0") { return nil }
    if parts.count == 2 {
      guard (1...2).contains(parts[1].count), parts[1].allSatisfy(Amount.isDigit) else { return nil }
    }
    guard let value = Decimal(string: text, locale: Amount.plainLocale) else { return nil }
    self.value = value
  }

  /// Plain decimal text without exponent or separators: `60000000`, `999.99`, `-5`.
  package var description: String {
    value.description
  }

  package static let zero = Amount(0)
  package static func < (left: Amount, right: Amount) -> Bool { left.value < right.value }
  package static func + (left: Amount, right: Amount) -> Amount { Amount(left.value + right.value) }
  package static func - (left: Amount, right: Amount) -> Amount { Amount(left.value - right.value) }
  package static func * (left: Amount, right: Amount) -> Amount { Amount(left.value * right.value) }

  /// True when there is something after the decimal point.
  package var hasFraction: Bool { rounded(to: 0) != self }

  /// At `digits` decimals.
  package func rounded(to digits: Int, half rounding: Rounding = .even) -> Amount {
    var source = value
    var result = Decimal()
    NSDecimalRound(&result, &source, digits, rounding == .even ? .bankers : .plain)
    // What a rounding of -0.003 leaves is nothing, and nothing has no sign.
    return result.isZero ? .zero : Amount(result)
  }

  /// Where a number goes that lies in the middle between two steps.
  package enum Rounding: String, Hashable, Sendable, CaseIterable {
    /// To the even one.
    case even
    /// Away from zero.
    case up
  }

  /// To a multiple of `step`; itself when `step` is zero.
  package func rounded(toStep step: Amount, half rounding: Rounding = .even) -> Amount {
    guard step.value != 0 else { return self }
    let count = Amount(value / step.value).rounded(to: 0, half: rounding)
    return count == .zero ? .zero : Amount(count.value * step.value)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
  private static let plainLocale = Locale(identifier: "en_US_POSIX")

}

/// The code of a currency, kept as the server wrote it: an unknown one is shown, never dropped.
package struct Currency: Hashable, Sendable, CustomStringConvertible {
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
}
