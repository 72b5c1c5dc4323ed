import Foundation

/// A price as the market keeps it: every digit that was sent, never a binary fraction.
///
/// Written plainly (`19.99`, `60000000`); at most 34 digits, of them at most 17 after the point. What is nearer to nothing is 0.
struct ExactNumber: Hashable, Sendable, Comparable, CustomStringConvertible {
  let decimal: Decimal
  /// The same, where it was written as a whole number of up to 18 digits: as nearly every price is.
  let integer: Int64?

  static let zero = ExactNumber(integer: 0)

  private init(decimal: Decimal) {
    self.decimal = decimal
    integer = nil
  }

  init(integer: Int64) {
    decimal = Decimal(integer)
    self.integer = integer
  }

  /// Reads the number grammar of JSON, exponent included; nil for anything else and for what does not fit.
  init?(_ text: String) {
    if let integer = ExactNumber.integer(text.utf8) {
      self.init(integer: integer)
      return
    }
    guard case .number(text)? = try? WireJSONReader.read(text.utf8) else { return nil }
    if let double = Double(text), double.magnitude < 1e-17 {
      self = .zero
      return
    }
    guard text.utf8.count <= 60,
      let plain = ExactNumber.plain(text), plain.utf8.count <= 36, let decimal = Decimal(string: plain)
    else { return nil }
    self.init(decimal: decimal)
  }

  static func == (left: ExactNumber, right: ExactNumber) -> Bool { left.decimal == right.decimal }
  func hash(into hasher: inout Hasher) { hasher.combine(decimal) }
  static func < (left: ExactNumber, right: ExactNumber) -> Bool { left.decimal < right.decimal }
  static func - (left: ExactNumber, right: ExactNumber) -> ExactNumber {
    if let left = left.integer, let right = right.integer { return ExactNumber(integer: left - right) }
    return ExactNumber(decimal: left.decimal - right.decimal)
  }

  var description: String { integer.map(String.init) ?? decimal.description }

  var isNegative: Bool { decimal < 0 }

  /// The part before the point, for the editions that know whole prices only.
  var whole: String { String(description.prefix { $0 != "." }) }

  private static func integer(_ digits: some Collection<UInt8>) -> Int64? {
    guard (1...18).contains(digits.count), digits.first != 48 || digits.count == 1 else { return nil }
    var integer: Int64 = 0
    for digit in digits {
      guard (48...57).contains(digit) else { return nil }
      integer = integer * 10 + Int64(digit - 48)
    }
    return integer
  }

  /// Moves the point by the exponent: `6.0E7` is `60000000.0`.
  private static func plain(_ text: String) -> String? {
    let halves = text.split { $0 == "e" || $0 == "E" }
    guard halves.count == 2 else { return text }
    guard let exponent = Int(halves[1]), (-17...33).contains(exponent) else { return nil }
    var mantissa = String(halves[0])
    let sign = mantissa.hasPrefix("-") ? "-" : ""
    if !sign.isEmpty { mantissa.removeFirst() }
    let parts = mantissa.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let fraction = parts.count == 2 ? parts[1] : ""
    var digits = parts[0] + fraction
    var point = parts[0].count + exponent
    if point <= 0 {
      digits = String(repeating: "0", count: 1 - point) + digits
      point = 1
    }
    if point > digits.count { digits += String(repeating: "0", count: point - digits.count) }
    let split = digits.index(digits.startIndex, offsetBy: point)
    let whole = digits[..<split]
    let rest = digits[split...]
    return sign + whole + (rest.isEmpty ? "" : "." + rest)
  }
}

/// Spells a number as Java's `Double.toString` does, which is what the servers of 2022 answer: `2000.0`, `19.99`, `6.0E7`, `1.0E-4`.
///
/// At least one digit after the point; scientific from 10^7 up and below 10^-3.
enum JavaDouble {
  static func text(_ number: ExactNumber) -> String {
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
