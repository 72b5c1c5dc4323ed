import Foundation

/// Numbers as lines write them: ASCII digits, no exponent, no separators, so that nothing is guessed.
package enum PlainNumber {
  /// A whole number of at most 15 digits, a minus allowed; nil for anything else.
  static func integer(_ text: String) -> Int? {
    let digits = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
    guard (1...15).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text)
  }

  /// A plain decimal, `-?digits[.digits]`, at most 18 digits before the point and 6 after it; nil for anything else.
  package static func decimal(_ text: String) -> Decimal? {
    let unsigned = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
    let parts = unsigned.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), (1...18).contains(parts[0].count),
      parts.count == 1 || (1...6).contains(parts[1].count),
      parts.allSatisfy({ $0.allSatisfy { (48...57).contains($0) } })
    else { return nil }
    return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }
}

extension String {
  /// Scalars of a line as text; ranges of words and errors count scalars.
  init(_ scalars: ArraySlice<Unicode.Scalar>) {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    self.init(text)
  }
}
