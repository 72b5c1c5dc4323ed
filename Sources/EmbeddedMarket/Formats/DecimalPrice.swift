import Foundation

/// An exact decimal number, such as a price: every digit that was sent, never a binary fraction.
///
/// It is written without an exponent (`19.99`, `60000000`) and has at most 34 digits, of which at most 17 are decimals.
/// A smaller magnitude is 0.
struct DecimalPrice: Hashable, Sendable, Comparable, CustomStringConvertible {
  private enum Value: Hashable, Sendable {
    /// `units` divided by ten to the power of `scale`, without trailing zeros.
    ///
    /// Nearly all prices are of this form.
    case short(units: Int64, scale: Int)
    case long(Decimal)
  }

  private let value: Value

  static let zero = DecimalPrice(units: 0, scale: 0)

  private init(_ decimal: Decimal) { value = .long(decimal) }

  private init(units: Int64, scale: Int) {
    var (units, scale) = (units, scale)
    while scale > 0, units % 10 == 0 { (units, scale) = (units / 10, scale - 1) }
    value = .short(units: units, scale: scale)
  }

  init(integer: Int64) { self.init(units: integer, scale: 0) }

  /// Parses a JSON number, including an exponent.
  ///
  /// Returns `nil` for any other text and for a number that is too large.
  init?(_ text: String) {
    if let short = DecimalPrice(digits: text.utf8) {
      self = short
      return
    }
    guard case .number(text)? = try? WireJSONReader.read(text.utf8) else { return nil }
    if let double = Double(text), double.magnitude < 1e-17 {
      self = .zero
      return
    }
    guard text.utf8.count <= 60,
      let plain = DecimalPrice.plain(text), plain.utf8.count <= 36, let decimal = Decimal(string: plain)
    else { return nil }
    self.init(decimal)
  }

  /// Parses up to 18 digits without sign or exponent; returns `nil` for any other text.
  private init?(digits: String.UTF8View) {
    guard digits.count <= 19 else { return nil }
    var (units, count, point) = (Int64(0), 0, Int?.none)
    for byte in digits {
      if byte == UInt8(ascii: "."), point == nil, count > 0 {
        point = count
      } else {
        guard (48...57).contains(byte), count < 18 else { return nil }
        units = units * 10 + Int64(byte - 48)
        count += 1
      }
    }
    let whole = point ?? count
    guard count > 0, point != count, digits.first != UInt8(ascii: "0") || whole == 1 else { return nil }
    self.init(units: units, scale: count - whole)
  }

  private var decimal: Decimal {
    switch value {
    case .short(let units, let scale):
      Decimal(sign: units < 0 ? .minus : .plus, exponent: -scale, significand: Decimal(units.magnitude))
    case .long(let decimal): decimal
    }
  }

  /// Returns the units of a short number at a larger scale, or `nil` if they overflow.
  private static func units(_ number: DecimalPrice, scale wanted: Int) -> Int64? {
    guard case .short(var units, let scale) = number.value else { return nil }
    for _ in scale..<max(scale, wanted) {
      let (more, isTooLarge) = units.multipliedReportingOverflow(by: 10)
      if isTooLarge { return nil }
      units = more
    }
    return units
  }

  private var scale: Int {
    switch value {
    case .short(_, let scale): scale
    case .long: 0
    }
  }

  static func == (left: DecimalPrice, right: DecimalPrice) -> Bool {
    switch (left.value, right.value) {
    case (.short, .short): left.value == right.value
    default: left.decimal == right.decimal
    }
  }

  func hash(into hasher: inout Hasher) { hasher.combine(decimal) }

  static func < (left: DecimalPrice, right: DecimalPrice) -> Bool { left.decimal < right.decimal }

  static func - (left: DecimalPrice, right: DecimalPrice) -> DecimalPrice {
    let scale = max(left.scale, right.scale)
    if let some = units(left, scale: scale), let less = units(right, scale: scale) {
      let (difference, isTooLarge) = some.subtractingReportingOverflow(less)
      if !isTooLarge { return DecimalPrice(units: difference, scale: scale) }
    }
    return DecimalPrice(left.decimal - right.decimal)
  }

  /// Creates a number from the result of a computation, with at most 12 decimals.
  private init(computed decimal: Decimal) {
    let rounded = DecimalPrice.rounded(decimal, 12)
    self = DecimalPrice(rounded.description) ?? DecimalPrice(rounded)
  }

  private static func rounded(_ decimal: Decimal, _ decimals: Int) -> Decimal {
    var (exact, rounded) = (decimal, Decimal())
    NSDecimalRound(&rounded, &exact, decimals, .plain)
    return rounded
  }

  /// Returns a percentage of the number.
  func percent(_ percentage: DecimalPrice) -> DecimalPrice {
    DecimalPrice(computed: decimal * percentage.decimal / 100)
  }

  /// Returns the percentage of another number that this one is, or 0 if the other one is 0.
  ///
  /// It has the fewest decimals, at least 2 and at most 8, with which `percent` returns this number again; if none does, 2.
  func percentage(of whole: DecimalPrice) -> DecimalPrice {
    guard whole != .zero else { return .zero }
    let exact = decimal * 100 / whole.decimal
    let candidates = (2...8).lazy.map { DecimalPrice(computed: DecimalPrice.rounded(exact, $0)) }
    return candidates.first { whole.percent($0) == self } ?? DecimalPrice(computed: DecimalPrice.rounded(exact, 2))
  }

  /// Returns the number in units of which `digits` decimals make one, rounded to an integer.
  func minorUnits(digits: Int) -> String {
    let unit = Decimal(sign: .plus, exponent: digits, significand: 1)
    return DecimalPrice(computed: DecimalPrice.rounded(decimal * unit, 0)).description
  }

  var description: String {
    switch value {
    case .short(let units, scale: 0): String(units)
    case .short, .long: decimal.description
    }
  }

  var isNegative: Bool { decimal < 0 }

  /// The integer part, for the editions with integer prices.
  var whole: String { String(description.prefix { $0 != "." }) }

  /// The integer part, the decimals as a number, and their count, for a short number that is not negative.
  var parts: (whole: Int64, fraction: Int64, digits: Int)? {
    guard case .short(let units, let scale) = value, units >= 0 else { return nil }
    var unit: Int64 = 1
    for _ in 0..<scale { unit *= 10 }
    return (units / unit, units % unit, scale)
  }

  /// Resolves the exponent: `6.0E7` is `60000000.0`.
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
