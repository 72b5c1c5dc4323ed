import Foundation

/// A number that preserves its literal.
///
/// It converts to `Int` or `Decimal` exactly or not at all.
package struct JSONNumber: Hashable, Sendable {
  package let literal: String
  private let negative: Bool
  /// The significant digits without zeros at either end; empty for zero.
  private let digits: [UInt8]
  private let exponent: Int

  package init(_ value: Int) {
    let bytes = Array(String(value.magnitude).utf8)
    let zeros = value == 0 ? 0 : bytes.reversed().prefix { $0 == 48 }.count
    literal = String(value)
    negative = value < 0
    digits = value == 0 ? [] : Array(bytes.dropLast(zeros))
    exponent = zeros
  }

  /// Creates a number, or returns `nil` if the text does not match the JSON grammar of numbers (RFC 8259 section 6).
  package init?(_ text: String) { self.init(parsing: text.utf8) }

  /// The integer, or `nil` if there is a fraction or the value exceeds 64 bits.
  package var int: Int? {
    if digits.isEmpty { return 0 }
    guard exponent >= 0, exponent <= 19, digits.count + exponent <= 19 else { return nil }
    let zeros = [UInt8](repeating: 48, count: exponent)
    return Int((negative ? "-" : "") + String(decoding: digits + zeros, as: UTF8.self))
  }

  /// The number as an integer times a power of ten, or `nil` for more than 18 digits or an exponent beyond ±18.
  package var decimalComponents: (units: Int, exponent: Int)? {
    guard digits.count <= 18, (-18...18).contains(exponent) else { return nil }
    let units = digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    return (negative ? -units : units, exponent)
  }

  /// The exact decimal, or `nil` if it exceeds 38 digits or the range (`1e400`).
  package var decimal: Decimal? {
    if digits.isEmpty { return 0 }
    guard digits.count <= 38, (-100...100).contains(exponent), exponent + digits.count <= 100 else { return nil }
    var significand = Decimal(0)
    for digit in digits { significand = significand * 10 + Decimal(Int(digit) - 48) }
    return Decimal(sign: negative ? .minus : .plus, exponent: exponent, significand: significand)
  }

  /// Indicates whether the number has no fraction: `3`, `3.0`, `6.0E7`.
  package var isWhole: Bool { exponent >= 0 || digits.isEmpty }

  private init?(parsing text: some Collection<UInt8>) {
    var scanner = DigitScanner(rest: Array(text)[...])
    negative = scanner.take("-") != nil
    let whole = scanner.takeDigits()
    guard !whole.isEmpty, whole.count == 1 || whole[0] != 48 else { return nil }
    var fraction: [UInt8] = []
    if scanner.take(".") != nil {
      fraction = scanner.takeDigits()
      if fraction.isEmpty { return nil }
    }
    var power = 0
    if scanner.take("eE") != nil {
      let sign = scanner.take("+-")
      let run = scanner.takeDigits()
      if run.isEmpty { return nil }
      // An exponent of more than six digits exceeds every type; only its sign still matters.
      power = min(Int(String(decoding: run.drop { $0 == 48 }.prefix(7), as: UTF8.self)) ?? 0, 1_000_000)
      if sign == UInt8(ascii: "-") { power = -power }
    }
    guard scanner.rest.isEmpty else { return nil }
    let all = (whole + fraction).drop { $0 == 48 }
    let zeros = all.reversed().prefix { $0 == 48 }.count
    digits = Array(all.dropLast(zeros))
    exponent = power - fraction.count + zeros
    literal = String(decoding: text, as: UTF8.self)
  }
}

extension JSONNumber {
  /// Compares two numbers exactly, at any length and exponent: `1E400` is greater than `9`, and `1.0` equals `1`.
  ///
  /// In contrast, `==` compares the literals.
  package func compared(to other: JSONNumber) -> ComparisonResult {
    let signs = (sign, other.sign)
    guard signs.0 == signs.1 else { return signs.0 < signs.1 ? .orderedAscending : .orderedDescending }
    let magnitudes = comparedMagnitude(to: other)
    guard negative, magnitudes != .orderedSame else { return magnitudes }
    return magnitudes == .orderedAscending ? .orderedDescending : .orderedAscending
  }

  private var sign: Int { digits.isEmpty ? 0 : negative ? -1 : 1 }

  private func comparedMagnitude(to other: JSONNumber) -> ComparisonResult {
    // The position of the first digit as a power of ten.
    let (first, second) = (digits.count + exponent, other.digits.count + other.exponent)
    if digits.isEmpty || first == second {
      if digits == other.digits { return .orderedSame }
      return digits.lexicographicallyPrecedes(other.digits) ? .orderedAscending : .orderedDescending
    }
    return first < second ? .orderedAscending : .orderedDescending
  }
}

private struct DigitScanner {
  var rest: ArraySlice<UInt8>

  mutating func takeDigits() -> [UInt8] {
    let run = Array(rest.prefix { (48...57).contains($0) })
    rest = rest.dropFirst(run.count)
    return run
  }

  mutating func take(_ characters: String) -> UInt8? {
    guard let first = rest.first, characters.utf8.contains(first) else { return nil }
    rest = rest.dropFirst()
    return first
  }
}
