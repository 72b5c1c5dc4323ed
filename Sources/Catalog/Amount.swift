import Foundation
import Text

/// An exact decimal number.
///
/// It is never a binary fraction, so `0.1 + 0.2` is `0.3`.
///
/// The API's prices are integral multiples of a small unit (15 digits and 2 decimals fit in 64 bits), so comparing,
/// adding and printing them costs as much as with an integer. Values that don't fit in 64 bits are stored as a
/// `Decimal`, which is exact up to 38 digits.
package struct Amount: Hashable, Sendable {
  /// The stored representation.
  ///
  /// Every value has exactly one, so that equal amounts are equal: `fixedPoint` if the value fits, with as few decimals as
  /// it needs.
  private enum Form: Hashable {
    /// The value `units` / 10 ^ `minorUnitDigits`.
    case fixedPoint(units: Int64, decimals: UInt8)
    indirect case decimal(Decimal)
  }

  private let form: Form

  package static let zero = Amount(0)

  package init(_ value: Int) { form = .fixedPoint(units: Int64(value), decimals: 0) }

  /// Creates `units` times ten to the power of `exponent`.
  package init(units: Int, exponent: Int) {
    form =
      Amount.scaled(Int64(units), exponent: exponent)
      ?? .decimal(
        Decimal(sign: units < 0 ? .minus : .plus, exponent: exponent, significand: Decimal(units.magnitude)))
  }

  package init(_ value: Decimal) {
    form = Amount.scaled(value) ?? .decimal(value)
  }

  /// Parses a price typed by a user: `0|[1-9][0-9]{0,14}` with up to 2 decimals.
  ///
  /// Returns `nil` for anything outside that grammar (`19,99`, `1e3`, `.5`, `+5`, ` 5`, `٣`).
  package init?(typed text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, (1...15).contains(whole.count), whole.allSatisfy(Amount.isDigit) else { return nil }
    if whole.count > 1, whole.first == UInt8(ascii: "0") { return nil }
    var decimals = 0
    if parts.count == 2 {
      decimals = parts[1].count
      guard (1...2).contains(decimals), parts[1].allSatisfy(Amount.isDigit) else { return nil }
    }
    let units = parts.joined().reduce(0) { $0 * 10 + Int($1 - 48) }
    self.init(units: units, exponent: -decimals)
  }

  /// Parses the output of `description`, `-?digits[.digits]`, or returns `nil`.
  package init?(plain text: String) {
    let unsigned = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    let parts = unsigned.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Amount.isDigit) }) else {
      return nil
    }
    let decimals = parts.count == 2 ? parts[1].count : 0
    if parts[0].count + decimals <= Amount.maxScale {
      let units = parts.joined().reduce(0) { $0 * 10 + Int($1 - 48) }
      self.init(units: unsigned.startIndex == text.utf8.startIndex ? units : -units, exponent: -decimals)
    } else {
      guard let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) else { return nil }
      self.init(value)
    }
  }

  /// The value as a `Decimal`, for arithmetic that the operators of this type don't offer.
  package var decimalValue: Decimal {
    switch form {
    case .fixedPoint(let units, 0): Decimal(units)
    case .fixedPoint(let units, let decimals):
      Decimal(sign: units < 0 ? .minus : .plus, exponent: -Int(decimals), significand: Decimal(units.magnitude))
    case .decimal(let value): value
    }
  }

  /// A Boolean value that is false for the result of a calculation that overflowed `Decimal`.
  package var isFinite: Bool {
    if case .decimal(let value) = form { return value.isFinite }
    return true
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension Amount {
  /// The maximum number of decimals of a scaled amount: the next power of ten exceeds 64 bits.
  private static let maxScale = 18
  private static let powersOfTen: [Int64] = (0...maxScale).map { count in
    (0..<count).reduce(1) { power, _ in power * 10 }
  }

  /// Returns the scaled form of `units` times ten to the power of `exponent`, or `nil` if it doesn't fit in 64 bits.
  private static func scaled(_ units: Int64, exponent: Int) -> Form? {
    if units == 0 { return .fixedPoint(units: 0, decimals: 0) }
    var (units, exponent) = (units, exponent)
    while exponent < 0, units.isMultiple(of: 10) {
      units /= 10
      exponent += 1
    }
    if exponent > 0 {
      guard exponent <= maxScale else { return nil }
      let (whole, overflow) = units.multipliedReportingOverflow(by: powersOfTen[exponent])
      return overflow ? nil : .fixedPoint(units: whole, decimals: 0)
    }
    return exponent < -maxScale ? nil : .fixedPoint(units: units, decimals: UInt8(-exponent))
  }

  private static func scaled(_ value: Decimal) -> Form? {
    guard value.isFinite, (-60...60).contains(value.exponent) else { return nil }
    var (digits, exponent) = (value.significand, value.exponent)
    while digits > Decimal(Int64.max), exponent < 0 {
      // A number with many digits may end in zeros, which become part of the exponent.
      let shorter = digits / 10
      var (source, whole) = (shorter, Decimal())
      NSDecimalRound(&whole, &source, 0, .down)
      guard whole == shorter else { return nil }
      (digits, exponent) = (shorter, exponent + 1)
    }
    guard digits <= Decimal(Int64.max), let units = Int64(digits.description) else { return nil }
    return scaled(value.sign == .minus ? -units : units, exponent: exponent)
  }

  /// Returns both amounts in units of the same decimal, or `nil` if one of them doesn't fit in 64 bits.
  private static func aligned(_ left: Amount, _ right: Amount) -> (left: Int64, right: Int64, decimals: UInt8)? {
    guard case .fixedPoint(let a, let few) = left.form, case .fixedPoint(let b, let many) = right.form else {
      return nil
    }
    if few == many { return (a, b, few) }
    let power = powersOfTen[abs(Int(few) - Int(many))]
    let (scaled, overflow) = (few < many ? a : b).multipliedReportingOverflow(by: power)
    if overflow { return nil }
    return few < many ? (scaled, b, many) : (a, scaled, few)
  }
}

extension Amount: Comparable, AdditiveArithmetic {
  package static func < (left: Amount, right: Amount) -> Bool {
    if let pair = aligned(left, right) { return pair.left < pair.right }
    return left.decimalValue < right.decimalValue
  }

  package static func + (left: Amount, right: Amount) -> Amount {
    if let pair = aligned(left, right) {
      let (sum, overflow) = pair.left.addingReportingOverflow(pair.right)
      if !overflow, let form = scaled(sum, exponent: -Int(pair.decimals)) { return Amount(form) }
    }
    return Amount(left.decimalValue + right.decimalValue)
  }

  package static func - (left: Amount, right: Amount) -> Amount {
    if let pair = aligned(left, right) {
      let (rest, overflow) = pair.left.subtractingReportingOverflow(pair.right)
      if !overflow, let form = scaled(rest, exponent: -Int(pair.decimals)) { return Amount(form) }
    }
    return Amount(left.decimalValue - right.decimalValue)
  }

  package static func * (left: Amount, right: Amount) -> Amount {
    if case .fixedPoint(let a, let few) = left.form, case .fixedPoint(let b, let many) = right.form {
      let (product, overflow) = a.multipliedReportingOverflow(by: b)
      if !overflow, let form = scaled(product, exponent: -Int(few) - Int(many)) { return Amount(form) }
    }
    return Amount(left.decimalValue * right.decimalValue)
  }

  /// Returns the quotient, exact to 38 digits.
  ///
  /// The divisor must not be zero.
  package func divided(by other: Amount) -> Amount {
    if let pair = Amount.aligned(self, other), pair.right != 0, pair.left.isMultiple(of: pair.right), pair.right != -1 {
      return Amount(.fixedPoint(units: pair.left / pair.right, decimals: 0))
    }
    return Amount(decimalValue / other.decimalValue)
  }

  package static prefix func - (amount: Amount) -> Amount { zero - amount }

  private init(_ form: Form) { self.form = form }
}

extension Amount {
  /// A Boolean value that indicates whether the amount has digits after the decimal point.
  package var hasFraction: Bool {
    if case .fixedPoint(_, let decimals) = form { return decimals > 0 }
    return rounded(to: 0) != self
  }

  /// Returns the amount rounded to `digits` decimals.
  package func rounded(to digits: Int, half rounding: Rounding = .toNearestOrEven) -> Amount {
    if case .fixedPoint(_, let decimals) = form, decimals <= digits { return self }
    var source = decimalValue
    var result = Decimal()
    NSDecimalRound(&result, &source, digits, rounding == .toNearestOrEven ? .bankers : .plain)
    // A rounded -0.003 is zero, and zero has no sign.
    return result.isZero ? .zero : Amount(result)
  }

  /// The rule for a number in the middle between two steps.
  package enum Rounding: String, Hashable, Sendable, CaseIterable {
    /// Rounds to the even step.
    case toNearestOrEven = "even"
    /// Rounds away from zero.
    case toNearestOrAwayFromZero = "up"
  }

  /// Returns the amount rounded to a multiple of `step`, or the amount itself if `step` is zero.
  package func rounded(toStep step: Amount, half rounding: Rounding = .toNearestOrEven) -> Amount {
    guard step != .zero else { return self }
    let count = Amount(decimalValue / step.decimalValue).rounded(to: 0, half: rounding)
    return count == .zero ? .zero : count * step
  }
}

extension Amount: ExpressibleByIntegerLiteral {
  package init(integerLiteral value: Int) { self.init(value) }
}

extension Amount: CustomStringConvertible {
  /// The decimal text without exponent or separators: `60000000`, `999.99`, `-5`.
  package var description: String {
    var text: [UInt8] = []
    append(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends `description` as ASCII bytes to `text`.
  package func append(to text: inout [UInt8]) {
    switch form {
    case .fixedPoint(let units, let decimals):
      // The digits are produced last to first in a buffer of their own, because reversing a part of `text` would copy
      // that part.
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24 + Int(decimals)) { spelled in
        var start = spelled.count
        func put(_ byte: UInt8) {
          start -= 1
          spelled[start] = byte
        }
        var rest = units.magnitude
        var digits = 0
        // The last digit comes first; at least one digit precedes the decimal point.
        repeat {
          if decimals > 0, digits == Int(decimals) { put(UInt8(ascii: ".")) }
          put(UInt8(48 + rest % 10))
          digits += 1
          rest /= 10
        } while rest > 0 || digits <= Int(decimals)
        if units < 0 { put(UInt8(ascii: "-")) }
        text.append(contentsOf: UnsafeMutableBufferPointer(rebasing: spelled[start...]))
      }
    case .decimal(let value): text.append(contentsOf: value.description.utf8)
    }
  }
}

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

extension Amount {
  /// Returns the amount with the symbol or code of its currency, never rounded: `₩3,500`, `US$19.90`, `EUR 5`.
  ///
  /// With `ascii`, all currencies but the dollars have their code.
  package func formatted(in currency: Currency?, ascii: Bool = false) -> String {
    var digits = description
    if let decimals = currency?.minorUnitDigits, decimals > 0 {
      let have = digits.split(separator: ".", maxSplits: 1).dropFirst().first?.count ?? 0
      if have == 0 { digits += "." }
      digits += String(repeating: "0", count: max(0, decimals - have))
    }
    let number = Amount.grouped(digits)
    switch currency {
    case nil: return number
    // A new product gets the currency of its market, which isn't known yet.
    case .some(let unknown) where unknown.code.isEmpty: return number
    case .some(.krw) where !ascii: return "₩" + number
    case .some(.usd): return "US$" + number
    case .some(.hkd): return "HK$" + number
    case .some(.jpy) where !ascii: return "¥" + number
    case .some(let other): return Sanitizer.sanitized(other.code, limit: 12) + " " + number
    }
  }

  /// Returns digits with thousands separators.
  ///
  /// A sign and decimals are preserved.
  package static func grouped(_ digits: String) -> String {
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let isNegative = parts[0].first == "-"
    let whole = Array(isNegative ? parts[0].dropFirst() : parts[0])
    var output = isNegative ? "-" : ""
    for (index, digit) in whole.enumerated() {
      if index > 0, (whole.count - index) % 3 == 0 { output += "," }
      output.append(digit)
    }
    return parts.count == 2 ? output + "." + String(parts[1]) : output
  }
}
