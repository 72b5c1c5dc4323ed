import Foundation

/// Conversion between numbers and text without `-0.0`, exponents, and `nan` as a coordinate.
package enum DecimalText {
  /// Returns a number with exactly the given decimals; `-` if it is not finite.
  package static func fixed(_ number: Double, _ decimals: Int = 1) -> String {
    guard number.isFinite, abs(number) < 1e15 else { return "-" }
    let text = String(format: "%.\(decimals)f", number)
    // A number that is rounded to zero has no sign.
    let isNothing = text.utf8.allSatisfy { $0 == 0x2D || $0 == 0x30 || $0 == 0x2E }
    return isNothing && text.hasPrefix("-") ? String(text.dropFirst()) : text
  }

  /// Returns a number with at most the given decimals, without trailing zeros: `18`, `18.5`.
  package static func trimmed(_ number: Double, _ decimals: Int = 1) -> String {
    var text = fixed(number, decimals)
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// Parses `-?digits(.digits)?` only; a leading `+` is allowed.
  package static func parse(_ text: String) -> Double? {
    var rest = Substring(text)
    if let sign = rest.first, sign == "-" || sign == "+" { rest.removeFirst() }
    let halves = rest.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(halves.count), rest.utf8.count <= 24,
      halves.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    return Double(text)
  }

  package static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
