import Catalog

/// Numbers in lines: digits without exponent and separators, so that nothing is ambiguous.
///
/// Full-width digits count as ASCII ones.
package enum NumberLiteral {
  /// Parses an integer of at most 15 digits, possibly negative, or returns `nil`.
  static func integer(_ text: String) -> Int? {
    let text = text.withPlainDigits
    let digits = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
    guard (1...15).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text)
  }

  /// Parses a decimal number, `-?digits[.digits]`, with at most 18 digits before and 6 after the point, or returns
  /// `nil`.
  package static func decimal(_ text: String) -> Amount? { decimal(text, whole: 18, fraction: 6) }

  /// Parses a number of a formula, with at most 30 digits before and 8 after the point, or returns `nil`.
  ///
  /// Sums and differences of such numbers are exact: a `Decimal` has 38 digits.
  static func term(_ text: String) -> Amount? { decimal(text, whole: 30, fraction: 8) }

  private static func decimal(_ text: String, whole: Int, fraction: Int) -> Amount? {
    let text = text.withPlainDigits
    let unsigned = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
    let parts = unsigned.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), (1...whole).contains(parts[0].count),
      parts.count == 1 || (1...fraction).contains(parts[1].count),
      parts.allSatisfy({ $0.allSatisfy { (48...57).contains($0) } })
    else { return nil }
    return Amount(plain: text)
  }
}
