import Foundation

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
    fileprivate let place: Range<Int>
    fileprivate let isPassed: Bool
  }

  /// Returns the member whose key `nextKey` read last.
  ///
  /// With `isPassed`, `skip(_:from:)` skips it.
  package func known(isPassed: Bool) -> CachedKey { CachedKey(place: keyRange, isPassed: isPassed) }

  /// Reads the next member's key if it is identical byte for byte to an earlier one, including the comma and white
  /// space around it.
  ///
  /// Returns false and reads nothing if it differs; call `nextKey` then.
  package mutating func takeKey(_ known: CachedKey) -> Bool { takeKey(spelledAs: known.place) }

  /// Skips members that are at the same position as in an earlier object and are not needed.
  ///
  /// - Returns: The position of the next member.
  /// - Throws: `FastPathUnsupported` if no value follows.
  package mutating func skip(_ known: [CachedKey], from position: Int) throws(FastPathUnsupported) -> Int {
    var position = position
    while position < known.count, known[position].isPassed, takeKey(spelledAs: known[position].place) {
      try skip(in: 0)
      position += 1
    }
    return position
  }

  @inline(__always) private mutating func takeKey(spelledAs place: Range<Int>) -> Bool {
    guard let base = bytes.baseAddress, place.count <= bytes.count - index, !place.isEmpty,
      isFirst != (base[place.lowerBound] == UInt8(ascii: ",")),
      memcmp(base + index, base + place.lowerBound, place.count) == 0
    else { return false }
    index += place.count
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
