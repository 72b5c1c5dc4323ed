/// Formats numbers as Java's `Double.toString`, as the servers of 2022 did: `2000.0`, `19.99`, `6.0E7`, `1.0E-4`.
///
/// At least one decimal; scientific notation from 10^7 and below 10^-3.
enum JavaDouble {
  static func text(_ number: DecimalPrice) -> String {
    var writer = WireWriter()
    write(number, to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Writes a number.
  ///
  /// A common price is written directly from its digits.
  static func write(_ number: DecimalPrice, to out: inout WireWriter) {
    guard let parts = number.parts, parts.whole < 10_000_000, parts.whole > 0 || parts.fraction == 0 else {
      return out.number(text(plain: number.description))
    }
    out.integer(parts.whole)
    out.add(UInt8(ascii: "."))
    out.integer(parts.fraction, width: max(1, parts.digits))
  }

  private static func text(plain: String) -> String {
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
