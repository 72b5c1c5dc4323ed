import Foundation

extension JSONPull {
  /// A text, or nil for null.
  package mutating func string() throws(NotPlain) -> String? {
    guard let (raw, isEscaped) = try rawString() else { return nil }
    if !isEscaped { return String(decoding: raw, as: UTF8.self) }
    return try JSONPull.unescaped(raw)
  }

  /// The bytes of a text without escapes, or nil for null.
  package mutating func plainText() throws(NotPlain) -> UnsafeBufferPointer<UInt8>? {
    guard let (raw, isEscaped) = try rawString() else { return nil }
    if isEscaped { throw NotPlain() }
    return raw
  }

  /// A whole number of at most 18 digits, `7` or `7.0`, or nil for null.
  package mutating func int() throws(NotPlain) -> Int? {
    guard let number = try number() else { return nil }
    guard number.exponent >= 0 else { throw NotPlain() }
    var value = number.digits
    for _ in 0..<number.exponent {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      if overflow { throw NotPlain() }
      value = product
    }
    return value
  }

  /// An exact decimal number in Java's notation too, `6.0E7`, or nil for null.
  package mutating func decimal() throws(NotPlain) -> Decimal? {
    guard let number = try number() else { return nil }
    if number.exponent == 0 { return Decimal(number.digits) }
    return Decimal(
      sign: number.digits < 0 ? .minus : .plus, exponent: number.exponent,
      significand: Decimal(number.digits.magnitude))
  }

  package mutating func bool() throws(NotPlain) -> Bool? {
    skipSpace()
    if try takeNull() { return nil }
    if takeWord("true") { return true }
    if takeWord("false") { return false }
    throw NotPlain()
  }

  /// Passes over one value, whatever it is.
  package mutating func skip(depth: Int = 0) throws(NotPlain) {
    skipSpace()
    guard index < bytes.count, depth < 16 else { throw NotPlain() }
    switch bytes[index] {
    case UInt8(ascii: "\""): if let text = try rawString(), text.isEscaped { _ = try JSONPull.unescaped(text.0) }
    case UInt8(ascii: "{"):
      try beginObject()
      while try nextKey() != nil { try skip(depth: depth + 1) }
    case UInt8(ascii: "["):
      try beginArray()
      while try nextElement() { try skip(depth: depth + 1) }
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): _ = try bool()
    default: _ = try number()
    }
  }
}
