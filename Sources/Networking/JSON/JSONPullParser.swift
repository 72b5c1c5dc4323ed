import Foundation
import Text

/// A pull parser for the common subset of JSON.
///
/// It decodes values on demand from the bytes and builds no tree, which is several times as fast if the shape of the
/// response is known. It throws `FastPathUnsupported` for input that it does not handle (a number in a string, an invalid
/// literal, a byte order mark); callers then use `JSON(parsing:)`, which builds a tree of the same tokens.
package struct JSONPullParser {
  /// The error for input that only the full parser handles.
  ///
  /// The body may be valid nevertheless.
  package struct FastPathUnsupported: Error {
    package init() {}
  }

  let bytes: UnsafeBufferPointer<UInt8>
  var index = 0
  private var isFirst = false
  /// The range of the key that was read last, from the end of the value before it to the start of its own value.
  private var keyRange = 0..<0

  /// Creates a parser.
  ///
  /// The bytes must outlive it.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// A position that `rewind(to:)` returns to.
  package struct Checkpoint {
    fileprivate let index: Int
    fileprivate let isFirst: Bool
  }

  package var checkpoint: Checkpoint { Checkpoint(index: index, isFirst: isFirst) }

  /// Continues from that position, as if nothing after it had been read.
  package mutating func rewind(to mark: Checkpoint) {
    index = mark.index
    isFirst = mark.isFirst
  }

  /// Reads the start of an object; call `nextKey` next.
  ///
  /// - Throws: `FastPathUnsupported` if no object begins here.
  package mutating func beginObject() throws(FastPathUnsupported) {
    try take(UInt8(ascii: "{"))
    isFirst = true
  }

  /// Returns the bytes of the next member's key, without its quotation marks, or `nil` at the end of the object.
  ///
  /// - Throws: `FastPathUnsupported` for a key with escapes, and for anything that is not a member.
  package mutating func nextKey() throws(FastPathUnsupported) -> UnsafeBufferPointer<UInt8>? {
    let before = index
    guard try hasNext(to: UInt8(ascii: "}")) else { return nil }
    try take(UInt8(ascii: "\""))
    let start = index
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      if bytes[index] == UInt8(ascii: "\\") { throw FastPathUnsupported() }
      index += 1
    }
    guard index < bytes.count else { throw FastPathUnsupported() }
    let key = UnsafeBufferPointer(rebasing: bytes[start..<index])
    index += 1
    try take(UInt8(ascii: ":"))
    skipSpace()
    keyRange = before..<index
    return key
  }

  /// Reads the start of an array; call `nextElement` next.
  ///
  /// - Throws: `FastPathUnsupported` if no array begins here.
  package mutating func beginArray() throws(FastPathUnsupported) {
    try take(UInt8(ascii: "["))
    isFirst = true
  }

  /// Returns true if another element follows, and false at the end of the array.
  ///
  /// - Throws: `FastPathUnsupported` if neither follows.
  package mutating func nextElement() throws(FastPathUnsupported) -> Bool { try hasNext(to: UInt8(ascii: "]")) }

  /// Checks that only white space follows.
  ///
  /// - Throws: `FastPathUnsupported` for anything else.
  package mutating func end() throws(FastPathUnsupported) {
    skipSpace()
    if index < bytes.count { throw FastPathUnsupported() }
  }

  /// Returns true if another member or element follows, and false after the closing bracket.
  mutating func hasNext(to close: UInt8) throws(FastPathUnsupported) -> Bool {
    skipSpace()
    guard index < bytes.count else { throw FastPathUnsupported() }
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

  @inline(__always) mutating func take(_ byte: UInt8) throws(FastPathUnsupported) {
    if index < bytes.count, bytes[index] == byte {
      index += 1
      return
    }
    skipSpace()
    guard index < bytes.count, bytes[index] == byte else { throw FastPathUnsupported() }
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

  mutating func takeWord(_ word: StaticString) -> Bool {
    let end = index + word.utf8CodeUnitCount
    guard end <= bytes.count, memcmp(bytes.baseAddress! + index, word.utf8Start, word.utf8CodeUnitCount) == 0,
      end == bytes.count || !JSONPullParser.isWord(bytes[end])
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

/// Key caching: the rows of a list usually have the same members in the same order.
extension JSONPullParser {
  /// The position of a member's key in an earlier object.
  package struct CachedKey {
    /// The range of the key, with the comma and the white space around it.
    fileprivate let range: Range<Int>
    fileprivate let isPassed: Bool
  }

  /// Returns the member whose key `nextKey` read last.
  ///
  /// With `isPassed`, `skip(_:from:)` skips it.
  package func known(isPassed: Bool) -> CachedKey { CachedKey(range: keyRange, isPassed: isPassed) }

  /// Reads the next member's key if it is identical byte for byte to an earlier one, including the comma and white
  /// space around it.
  ///
  /// Returns false and reads nothing if it differs; call `nextKey` then.
  package mutating func takeKey(_ known: CachedKey) -> Bool { takeKey(spelledAs: known.range) }

  /// Skips members that are at the same position as in an earlier object and are not needed.
  ///
  /// - Returns: The position of the next member.
  /// - Throws: `FastPathUnsupported` if no value follows.
  package mutating func skip(_ known: [CachedKey], from position: Int) throws(FastPathUnsupported) -> Int {
    var position = position
    while position < known.count, known[position].isPassed, takeKey(spelledAs: known[position].range) {
      try skip(in: 0)
      position += 1
    }
    return position
  }

  @inline(__always) private mutating func takeKey(spelledAs range: Range<Int>) -> Bool {
    guard let base = bytes.baseAddress, range.count <= bytes.count - index, !range.isEmpty,
      isFirst != (base[range.lowerBound] == UInt8(ascii: ",")),
      memcmp(base + index, base + range.lowerBound, range.count) == 0
    else { return false }
    index += range.count
    isFirst = false
    return true
  }

  /// Skips one value of any type.
  ///
  /// More than 16 levels of nesting are not handled.
  ///
  /// - Throws: `FastPathUnsupported` if no value follows.
  package mutating func skip() throws(FastPathUnsupported) { try skip(in: 0) }

  /// Skips one value.
  ///
  /// Strings and numbers, which nearly all values are, are tested first.
  @inline(__always) private mutating func skip(in depth: Int) throws(FastPathUnsupported) {
    skipSpace()
    guard index < bytes.count else { throw FastPathUnsupported() }
    switch bytes[index] {
    case UInt8(ascii: "\""): try skipText()
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): try skipNumber()
    default: try skipRest(in: depth)
    }
  }

  private mutating func skipRest(in depth: Int) throws(FastPathUnsupported) {
    guard depth < 16 else { throw FastPathUnsupported() }
    switch bytes[index] {
    case UInt8(ascii: "{"):
      try beginObject()
      while try nextKey() != nil { try skip(in: depth + 1) }
    case UInt8(ascii: "["):
      try beginArray()
      while try nextElement() { try skip(in: depth + 1) }
    default: _ = try bool()
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Compares the bytes of a key with a literal in a `switch`, without creating a string.
  @inlinable package static func ~= (word: StaticString, key: UnsafeBufferPointer<UInt8>) -> Bool {
    key.count == word.utf8CodeUnitCount
      && (key.isEmpty || memcmp(key.baseAddress!, word.utf8Start, key.count) == 0)
  }
}

/// Reading single values as the requested type.
extension JSONPullParser {
  /// Reads a string; returns `nil` for null.
  ///
  /// - Throws: `FastPathUnsupported` for any other value.
  package mutating func string() throws(FastPathUnsupported) -> String? {
    guard let (raw, isEscaped) = try rawString() else { return nil }
    if !isEscaped {
      // The parser that reports positions reads bytes that aren't UTF-8.
      guard let text = String(validating: raw, as: UTF8.self) else { throw FastPathUnsupported() }
      return text
    }
    return try JSONPullParser.unescaped(raw)
  }

  /// Reads the bytes of a string without escapes; returns `nil` for null.
  ///
  /// - Throws: `FastPathUnsupported` for any other value, and for a string with escapes.
  package mutating func unescapedBytes() throws(FastPathUnsupported) -> UnsafeBufferPointer<UInt8>? {
    guard let (raw, isEscaped) = try rawString() else { return nil }
    if isEscaped { throw FastPathUnsupported() }
    return raw
  }

  /// Reads an integer of at most 18 digits, such as `7` or `7.0`; returns `nil` for null.
  ///
  /// - Throws: `FastPathUnsupported` for a fraction, and for a value beyond 64 bits.
  package mutating func int() throws(FastPathUnsupported) -> Int? {
    guard let number = try number() else { return nil }
    guard number.exponent >= 0 else { throw FastPathUnsupported() }
    var value = number.digits
    for _ in 0..<number.exponent {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      if overflow { throw FastPathUnsupported() }
      value = product
    }
    return value
  }

  /// Reads null if it follows.
  ///
  /// Returns false and reads nothing otherwise.
  ///
  /// - Throws: `FastPathUnsupported` for another literal that begins with n.
  @inline(__always) package mutating func null() throws(FastPathUnsupported) -> Bool {
    skipSpace()
    guard index < bytes.count, bytes[index] == UInt8(ascii: "n") else { return false }
    guard takeWord("null") else { throw FastPathUnsupported() }
    return true
  }

  /// Reads a Boolean; returns `nil` for null.
  ///
  /// - Throws: `FastPathUnsupported` for any other value.
  package mutating func bool() throws(FastPathUnsupported) -> Bool? {
    if try null() { return nil }
    if takeWord("true") { return true }
    if takeWord("false") { return false }
    throw FastPathUnsupported()
  }
}

/// The grammar of numbers, including Java's notation (`6.0E7`).
extension JSONPullParser {
  /// An exact number of at most 18 digits: `digits` times ten to the power of `exponent`.
  package struct Number {
    package var digits: Int
    /// The power of ten.
    ///
    /// If it is negative, `digits` has no trailing zeros.
    package var exponent: Int
  }

  /// Reads a decimal number, also in Java's notation (`6.0E7`); returns `nil` for null.
  ///
  /// - Throws: `FastPathUnsupported` for any other value, and for more digits than are exact.
  package mutating func number() throws(FastPathUnsupported) -> Number? {
    if try null() { return nil }
    return try number(isWanted: true)
  }

  @inline(__always) mutating func skipNumber() throws(FastPathUnsupported) { _ = try number(isWanted: false) }

  /// Reads a number.
  ///
  /// If `isWanted` is false, only the grammar is checked; the compiler then removes the computation of the value.
  @inline(__always) private mutating func number(isWanted: Bool) throws(FastPathUnsupported) -> Number {
    let isNegative = index < bytes.count && bytes[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    let start = index
    var digits = takeDigits(0)
    let whole = index - start
    guard whole > 0, whole == 1 || bytes[start] != UInt8(ascii: "0") else { throw FastPathUnsupported() }
    var exponent = 0
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      let point = index
      digits = takeDigits(digits)
      exponent = point - index
      guard exponent < 0 else { throw FastPathUnsupported() }
    }
    guard index - start <= 18 else { throw FastPathUnsupported() }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") { exponent += try exponentPart() }
    // A letter after the number makes it an invalid literal.
    if index < bytes.count, JSONPullParser.isWord(bytes[index]) { throw FastPathUnsupported() }
    while isWanted, exponent < 0, digits % 10 == 0, digits != 0 {
      digits /= 10
      exponent += 1
    }
    return Number(digits: isNegative ? -digits : digits, exponent: digits == 0 ? 0 : exponent)
  }

  private mutating func exponentPart() throws(FastPathUnsupported) -> Int {
    index += 1
    var isNegative = false
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
      isNegative = bytes[index] == UInt8(ascii: "-")
      index += 1
    }
    let start = index
    let power = takeDigits(0)
    guard (1...2).contains(index - start) else { throw FastPathUnsupported() }
    return isNegative ? -power : power
  }

  /// Reads digits.
  ///
  /// At most 18 are exact; more of them wrap around, and the caller rejects them by their count.
  @inline(__always) private mutating func takeDigits(_ value: Int) -> Int {
    var value = value
    while index < bytes.count, (48...57).contains(bytes[index]) {
      value = value &* 10 &+ Int(bytes[index] &- 48)
      index += 1
    }
    return value
  }
}

/// Strings with and without escapes.
extension JSONPullParser {
  mutating func rawString() throws(FastPathUnsupported) -> (UnsafeBufferPointer<UInt8>, isEscaped: Bool)? {
    if try null() { return nil }
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { throw FastPathUnsupported() }
    index += 1
    let start = index
    index = endOfString(from: start)
    if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
      index += 1
      return (UnsafeBufferPointer(rebasing: bytes[start..<(index - 1)]), false)
    }
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard index < bytes.count else { throw FastPathUnsupported() }
    index += 1
    return (UnsafeBufferPointer(rebasing: bytes[start..<(index - 1)]), true)
  }

  /// Skips a string, checking its escapes.
  @inline(__always) mutating func skipText() throws(FastPathUnsupported) {
    let end = endOfString(from: index + 1)
    if end < bytes.count, bytes[end] == UInt8(ascii: "\"") {
      index = end + 1
    } else if let text = try rawString() {
      _ = try JSONPullParser.unescaped(text.0)
    }
  }

  /// Returns the offset of the first quotation mark or backslash from `start`, or the end.
  ///
  /// Eight bytes are tested at a time: most strings are short, and a call of `memchr` costs more.
  @inline(__always) private func endOfString(from start: Int) -> Int {
    guard let base = UnsafeRawPointer(bytes.baseAddress) else { return start }
    let (ones, highs) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
    var range = start
    while range + 8 <= bytes.count {
      let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: range, as: UInt64.self))
      // A zero byte marks a match; of several in one word only the lowest is certain.
      let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
      let escapes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
      let found = (((quotes &- ones) & ~quotes) | ((escapes &- ones) & ~escapes)) & highs
      if found != 0 { return range + found.trailingZeroBitCount / 8 }
      range += 8
    }
    while range < bytes.count, bytes[range] != UInt8(ascii: "\""), bytes[range] != UInt8(ascii: "\\") { range += 1 }
    return range
  }

  /// The error for an escape that is not JSON.
  struct InvalidEscape: Error {
    /// The offset after the bytes that could be read.
    var offset: Int
  }

  /// Returns a string without its escapes.
  private static func unescaped(_ raw: UnsafeBufferPointer<UInt8>) throws(FastPathUnsupported) -> String {
    let found: (text: String, fault: InvalidText?)
    do { found = try decoded(raw) } catch { throw FastPathUnsupported() }
    guard found.fault == nil else { throw FastPathUnsupported() }
    return found.text
  }

  /// Returns a string without its escapes, and the first fault in it; bytes that are not UTF-8 and unpaired surrogates become
  /// U+FFFD.
  static func decoded(
    _ raw: UnsafeBufferPointer<UInt8>
  ) throws(InvalidEscape) -> (text: String, fault: InvalidText?) {
    var fault: InvalidText?
    var text: [UInt8] = []
    text.reserveCapacity(raw.count)
    var index = 0
    while index < raw.count {
      guard raw[index] == UInt8(ascii: "\\") else {
        text.append(raw[index])
        index += 1
        continue
      }
      guard index + 1 < raw.count else { throw InvalidEscape(offset: index + 1) }
      let letter = raw[index + 1]
      index += 2
      switch letter {
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
      case UInt8(ascii: "u"):
        let start = index - 2
        let scalar = try scalar(raw, &index)
        if scalar == nil, fault == nil { fault = InvalidText(kind: .unpairedSurrogate, offset: start) }
        text.append(contentsOf: String(Character(scalar ?? "\u{FFFD}")).utf8)
      default: throw InvalidEscape(offset: index)
      }
    }
    if let valid = String(validating: text, as: UTF8.self) { return (valid, fault) }
    let offset = InvalidUTF8.firstOffset(in: raw) ?? 0
    let first = fault.map { $0.offset < offset ? $0 : nil } ?? nil
    return (String(decoding: text, as: UTF8.self), first ?? InvalidText(kind: .notUTF8, offset: offset))
  }

  /// Reads the scalar of `\uXXXX` after its `u`, including the second half of a surrogate pair; `nil` if it is only one half.
  private static func scalar(
    _ raw: UnsafeBufferPointer<UInt8>, _ index: inout Int
  ) throws(InvalidEscape) -> Unicode.Scalar? {
    guard let first = unit(raw, at: index) else { throw InvalidEscape(offset: index) }
    index += 4
    guard UTF16.isLeadSurrogate(first), raw[index...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]),
      let second = unit(raw, at: index + 2), UTF16.isTrailSurrogate(second)
    else { return Unicode.Scalar(first) }
    index += 6
    return String(decoding: [first, second], as: UTF16.self).unicodeScalars.first
  }

  /// Returns the value of four hexadecimal digits.
  private static func unit(_ raw: UnsafeBufferPointer<UInt8>, at start: Int) -> UInt16? {
    guard start + 4 <= raw.count else { return nil }
    var value: UInt16 = 0
    for digit in raw[start..<start + 4] {
      switch digit {
      case 48...57: value = value << 4 | UInt16(digit - 48)
      case 65...70: value = value << 4 | UInt16(digit - 55)
      case 97...102: value = value << 4 | UInt16(digit - 87)
      default: return nil
      }
    }
    return value
  }
}
