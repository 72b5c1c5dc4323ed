/// Spells a number as Java's `Double.toString` does, which is what the servers of 2022 answer: `2000.0`, `19.99`, `6.0E7`, `1.0E-4`.
///
/// At least one digit after the point; scientific from 10^7 up and below 10^-3.
enum JavaDouble {
  static func text(_ number: Exact) -> String {
    if let integer = number.integer, (0..<10_000_000).contains(integer) { return String(integer) + ".0" }
    let plain = number.description
    let sign = plain.hasPrefix("-") ? "-" : ""
    let parts = plain.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let whole = parts[0]
    let fraction = parts.count == 2 ? parts[1] : ""
    let all = whole + fraction
    guard let first = all.firstIndex(where: { $0 != "0" }) else { return "0.0" }
    let significant = trimmed(String(all[first...]))
    let exponent = whole.count - 1 - all.distance(from: all.startIndex, to: first)
    guard (-3..<7).contains(exponent) else {
      let rest = significant.dropFirst()
      return sign + significant.prefix(1) + "." + (rest.isEmpty ? "0" : rest) + "E" + String(exponent)
    }
    let shown = trimmed(fraction)
    return sign + whole + "." + (shown.isEmpty ? "0" : shown)
  }

  private static func trimmed(_ digits: String) -> String {
    var digits = digits
    while digits.last == "0" { digits.removeLast() }
    return digits
  }
}
