import Foundation

/// Reads the plain form of JSON straight from its bytes, value by value as it is asked for, and builds nothing that is not
/// wanted: several times as fast as a tree of values, where the shape of the answer is known.
///
/// Whatever is not plain (a number in a string, a half surrogate, a misspelt word, a mark in front) throws `NotPlain`: the
/// reader of trees decides about it. What is read here is what that one reads.
package struct JSONPull {
  /// Something that this reader leaves to the reader of trees; the body may be sound all the same.
  package struct NotPlain: Error {
    package init() {}
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0
  private var isFirst = false
  /// Where the key that was read last stands, from behind the value before it to where its own begins.
  package private(set) var spelling = 0..<0

  /// The bytes must outlive it.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// A place to come back to.
  package struct Mark {
    fileprivate let index: Int
    fileprivate let isFirst: Bool
  }

  package var mark: Mark { Mark(index: index, isFirst: isFirst) }

  /// Reads on from that place, as if nothing behind it had been read.
  package mutating func goBack(to mark: Mark) {
    index = mark.index
    isFirst = mark.isFirst
  }

  /// Before the first `nextKey`.
  ///
  /// - Throws: `NotPlain` where no object begins.
  package mutating func beginObject() throws(NotPlain) {
    try take(UInt8(ascii: "{"))
    isFirst = true
  }

  /// The key of the next member, as it stands between its quotes; nil at the end of the object.
  ///
  /// - Throws: `NotPlain` for a key with escapes, and for what is no member.
  package mutating func nextKey() throws(NotPlain) -> UnsafeBufferPointer<UInt8>? {
    let before = index
    guard try goesOn(to: UInt8(ascii: "}")) else { return nil }
    try take(UInt8(ascii: "\""))
    let start = index
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      if bytes[index] == UInt8(ascii: "\\") { throw NotPlain() }
      index += 1
    }
    guard index < bytes.count else { throw NotPlain() }
    let key = UnsafeBufferPointer(rebasing: bytes[start..<index])
    index += 1
    try take(UInt8(ascii: ":"))
    skipSpace()
    spelling = before..<index
    return key
  }

  /// Passes over the next member's key where it is spelled byte for byte as an earlier one was, with the same comma and
  /// spaces around it; false leaves it to `nextKey`. A list's rows have the same keys in the same order.
  package mutating func takeKey(spelledAs place: Range<Int>) -> Bool {
    guard let base = bytes.baseAddress, place.count <= bytes.count - index, !place.isEmpty,
      isFirst != (base[place.lowerBound] == UInt8(ascii: ",")),
      memcmp(base + index, base + place.lowerBound, place.count) == 0
    else { return false }
    index += place.count
    isFirst = false
    return true
  }

  /// Before the first `nextElement`.
  ///
  /// - Throws: `NotPlain` where no list begins.
  package mutating func beginArray() throws(NotPlain) {
    try take(UInt8(ascii: "["))
    isFirst = true
  }

  /// True when there is an element to be read.
  ///
  /// - Throws: `NotPlain` where neither an element nor the end follows.
  package mutating func nextElement() throws(NotPlain) -> Bool { try goesOn(to: UInt8(ascii: "]")) }

  /// Nothing but space may follow.
  ///
  /// - Throws: `NotPlain` for anything else.
  package mutating func end() throws(NotPlain) {
    skipSpace()
    if index < bytes.count { throw NotPlain() }
  }

  private mutating func goesOn(to close: UInt8) throws(NotPlain) -> Bool {
    skipSpace()
    guard index < bytes.count else { throw NotPlain() }
    if bytes[index] == close {
      index += 1
      isFirst = false
      return false
    }
    if !isFirst { try take(UInt8(ascii: ",")) }
    isFirst = false
    skipSpace()
    return true
  }

  @inline(__always) private mutating func take(_ byte: UInt8) throws(NotPlain) {
    if index < bytes.count, bytes[index] == byte {
      index += 1
      return
    }
    skipSpace()
    guard index < bytes.count, bytes[index] == byte else { throw NotPlain() }
    index += 1
  }

  mutating func skipSpace() {
    while index < bytes.count, bytes[index] <= 0x20 {
      switch bytes[index] {
      case 0x20, 0x0A, 0x0D, 0x09: index += 1
      default: return
      }
    }
  }

  mutating func takeNull() throws(NotPlain) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: "n") else { return false }
    guard takeWord("null") else { throw NotPlain() }
    return true
  }

  mutating func takeWord(_ word: StaticString) -> Bool {
    let end = index + word.utf8CodeUnitCount
    guard end <= bytes.count, memcmp(bytes.baseAddress! + index, word.utf8Start, word.utf8CodeUnitCount) == 0,
      end == bytes.count || !JSONPull.isWord(bytes[end])
    else { return false }
    index = end
    return true
  }

  static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
    default: false
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Lets `switch` compare the bytes of a key with words, without making a text of them.
  @inlinable package static func ~= (word: StaticString, key: UnsafeBufferPointer<UInt8>) -> Bool {
    key.count == word.utf8CodeUnitCount
      && (key.isEmpty || memcmp(key.baseAddress!, word.utf8Start, key.count) == 0)
  }
}

extension JSONPull {
  /// A text, or nil for null.
  ///
  /// - Throws: `NotPlain` for what is no text, or holds half a surrogate.
  package mutating func string() throws(NotPlain) -> String? {
    guard let (raw, isEscaped) = try rawString() else { return nil }
    if !isEscaped { return String(decoding: raw, as: UTF8.self) }
    return try JSONPull.unescaped(raw)
  }

  /// The bytes of a text without escapes, or nil for null.
  ///
  /// - Throws: `NotPlain` for what is no text, or has escapes.
  package mutating func plainText() throws(NotPlain) -> UnsafeBufferPointer<UInt8>? {
    guard let (raw, isEscaped) = try rawString() else { return nil }
    if isEscaped { throw NotPlain() }
    return raw
  }

  /// A whole number of at most 18 digits, `7` or `7.0`, or nil for null.
  ///
  /// - Throws: `NotPlain` for a fraction, and for what 64 bits do not hold.
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

  /// A truth value, or nil for null.
  ///
  /// - Throws: `NotPlain` for anything else.
  package mutating func bool() throws(NotPlain) -> Bool? {
    skipSpace()
    if try takeNull() { return nil }
    if takeWord("true") { return true }
    if takeWord("false") { return false }
    throw NotPlain()
  }

  /// Passes over one value, whatever it is; more than 16 in each other are not plain.
  ///
  /// - Throws: `NotPlain` for what is no value.
  package mutating func skip() throws(NotPlain) { try skip(0) }

  private mutating func skip(_ depth: Int) throws(NotPlain) {
    skipSpace()
    guard index < bytes.count, depth < 16 else { throw NotPlain() }
    switch bytes[index] {
    case UInt8(ascii: "\""): if let text = try rawString(), text.isEscaped { _ = try JSONPull.unescaped(text.0) }
    case UInt8(ascii: "{"):
      try beginObject()
      while try nextKey() != nil { try skip(depth + 1) }
    case UInt8(ascii: "["):
      try beginArray()
      while try nextElement() { try skip(depth + 1) }
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): _ = try bool()
    default: _ = try number()
    }
  }
}

/// The grammar of numbers, and the few forms of Java's that are plain.
extension JSONPull {
  /// A number of at most 18 digits as it stands, exactly: digits times ten to the power of the exponent.
  package struct Number {
    package var digits: Int
    /// No zeros at the end of the digits when it is below 0.
    package var exponent: Int
  }

  /// A decimal number, in Java's notation too (`6.0E7`), or nil for null.
  ///
  /// - Throws: `NotPlain` for what is no number, and for more digits than are exact.
  package mutating func number() throws(NotPlain) -> Number? {
    skipSpace()
    if try takeNull() { return nil }
    let isNegative = index < bytes.count && bytes[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    let start = index
    var digits = takeDigits(0)
    let whole = index - start
    guard whole > 0, whole == 1 || bytes[start] != UInt8(ascii: "0") else { throw NotPlain() }
    var exponent = 0
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      let point = index
      digits = takeDigits(digits)
      exponent = point - index
      guard exponent < 0 else { throw NotPlain() }
    }
    guard index - start <= 18 else { throw NotPlain() }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") { exponent += try power() }
    while exponent < 0, digits % 10 == 0, digits != 0 {
      digits /= 10
      exponent += 1
    }
    if digits == 0 { exponent = 0 }
    // A letter behind it makes it a word that is no number.
    if index < bytes.count, JSONPull.isWord(bytes[index]) { throw NotPlain() }
    return Number(digits: isNegative ? -digits : digits, exponent: exponent)
  }

  private mutating func power() throws(NotPlain) -> Int {
    index += 1
    var isNegative = false
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
      isNegative = bytes[index] == UInt8(ascii: "-")
      index += 1
    }
    let start = index
    let power = takeDigits(0)
    guard (1...2).contains(index - start) else { throw NotPlain() }
    return isNegative ? -power : power
  }

  /// At most 18 of them are ever of use; more wrap around and are refused by their count.
  private mutating func takeDigits(_ value: Int) -> Int {
    var value = value
    while index < bytes.count, (48...57).contains(bytes[index]) {
      value = value &* 10 &+ Int(bytes[index] &- 48)
      index += 1
    }
    return value
  }
}

/// Texts between quotes, with and without escapes.
extension JSONPull {
  mutating func rawString() throws(NotPlain) -> (UnsafeBufferPointer<UInt8>, isEscaped: Bool)? {
    skipSpace()
    if try takeNull() { return nil }
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { throw NotPlain() }
    index += 1
    let start = index
    guard let quote = find(UInt8(ascii: "\""), from: start, to: bytes.count) else { throw NotPlain() }
    guard let escape = find(UInt8(ascii: "\\"), from: start, to: quote) else {
      index = quote + 1
      return (UnsafeBufferPointer(rebasing: bytes[start..<quote]), false)
    }
    index = escape
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard index < bytes.count else { throw NotPlain() }
    index += 1
    return (UnsafeBufferPointer(rebasing: bytes[start..<(index - 1)]), true)
  }

  private func find(_ byte: UInt8, from start: Int, to end: Int) -> Int? {
    guard start < end, let base = bytes.baseAddress, let found = memchr(base + start, Int32(byte), end - start) else {
      return nil
    }
    return UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
  }

  /// A text with its escapes resolved; halves of surrogates are not plain.
  static func unescaped(_ raw: UnsafeBufferPointer<UInt8>) throws(NotPlain) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(raw.count)
    var index = 0
    while index < raw.count {
      guard raw[index] == UInt8(ascii: "\\") else {
        text.append(raw[index])
        index += 1
        continue
      }
      guard index + 1 < raw.count else { throw NotPlain() }
      switch raw[index + 1] {
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(raw[index + 1])
      case UInt8(ascii: "u"):
        guard index + 6 <= raw.count else { throw NotPlain() }
        text.append(contentsOf: String(Character(try scalar(raw[(index + 2)..<(index + 6)]))).utf8)
        index += 4
      default: throw NotPlain()
      }
      index += 2
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func scalar(_ digits: Slice<UnsafeBufferPointer<UInt8>>) throws(NotPlain) -> Unicode.Scalar {
    var value: UInt32 = 0
    for digit in digits {
      switch digit {
      case 48...57: value = value * 16 + UInt32(digit - 48)
      case 65...70: value = value * 16 + UInt32(digit - 55)
      case 97...102: value = value * 16 + UInt32(digit - 87)
      default: throw NotPlain()
      }
    }
    guard let scalar = Unicode.Scalar(value) else { throw NotPlain() }
    return scalar
  }
}
