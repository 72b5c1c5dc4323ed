import Foundation

/// Numbers as text and back, without the surprises: no `-0.0`, no exponent, no `nan` read as a coordinate.
package enum DecimalText {
  /// A number with exactly so many decimals; `-` for what is no number.
  package static func fixed(_ number: Double, _ decimals: Int = 1) -> String {
    guard number.isFinite, abs(number) < 1e15 else { return "-" }
    let text = String(format: "%.\(decimals)f", number)
    // What rounds to nothing has no sign.
    let isNothing = text.utf8.allSatisfy { $0 == 0x2D || $0 == 0x30 || $0 == 0x2E }
    return isNothing && text.hasPrefix("-") ? String(text.dropFirst()) : text
  }

  /// A number with at most so many decimals, without trailing zeros: `18`, `18.5`.
  package static func short(_ number: Double, _ decimals: Int = 1) -> String {
    var text = fixed(number, decimals)
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// Reads `-?digits(.digits)?` and nothing else; a leading `+` is allowed.
  package static func number(_ text: String) -> Double? {
    var rest = Substring(text)
    if let sign = rest.first, sign == "-" || sign == "+" { rest.removeFirst() }
    let halves = rest.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(halves.count), rest.utf8.count <= 24,
      halves.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    return Double(text)
  }

  static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
