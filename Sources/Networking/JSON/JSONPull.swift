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

  let bytes: UnsafeBufferPointer<UInt8>
  var index = 0
  private var isFirst = false
  /// Where the key that was read last stands, from behind the value before it to where its own begins.
  private var spelling = 0..<0

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

/// What was read before may come again: a list's rows have the same members in the same order.
extension JSONPull {
  /// A member of an earlier object.
  package struct KnownMember {
    /// Where its key stands, with the comma and the spaces around it.
    fileprivate let place: Range<Int>
    fileprivate let isPassed: Bool
  }

  /// The member whose key `nextKey` read last.
  ///
  /// - Parameter isPassed: `skip(_:from:)` passes over it.
  package func known(isPassed: Bool) -> KnownMember { KnownMember(place: spelling, isPassed: isPassed) }

  /// Passes over the next member's key where it is spelled byte for byte as an earlier one was, with the same comma and
  /// spaces around it; false leaves it to `nextKey`.
  package mutating func takeKey(_ known: KnownMember) -> Bool { takeKey(spelledAs: known.place) }

  /// Passes over members that stand where they stood in an earlier object and are not wanted.
  ///
  /// - Returns: The position of the next member.
  /// - Throws: `NotPlain` for what is no value.
  package mutating func skip(_ known: [KnownMember], from position: Int) throws(NotPlain) -> Int {
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

  /// Passes over one value, whatever it is; more than 16 in each other are not plain.
  ///
  /// - Throws: `NotPlain` for what is no value.
  package mutating func skip() throws(NotPlain) { try skip(in: 0) }

  /// Nearly all are texts and numbers.
  @inline(__always) private mutating func skip(in depth: Int) throws(NotPlain) {
    skipSpace()
    guard index < bytes.count else { throw NotPlain() }
    switch bytes[index] {
    case UInt8(ascii: "\""): try skipText()
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): try skipNumber()
    default: try skipRest(in: depth)
    }
  }

  private mutating func skipRest(in depth: Int) throws(NotPlain) {
    guard depth < 16 else { throw NotPlain() }
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
  /// Lets `switch` compare the bytes of a key with words, without making a text of them.
  @inlinable package static func ~= (word: StaticString, key: UnsafeBufferPointer<UInt8>) -> Bool {
    key.count == word.utf8CodeUnitCount
      && (key.isEmpty || memcmp(key.baseAddress!, word.utf8Start, key.count) == 0)
  }
}
