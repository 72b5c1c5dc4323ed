import Foundation

/// Reads the plain form of JSON straight from its bytes, value by value as it is asked for, and builds nothing that is not
/// wanted: several times as fast as a tree of values, where the shape of the answer is known.
///
/// Whatever is not plain (a number in a string, a half surrogate, a misspelt word, a mark in front) throws `NotPlain`: the
/// reader of trees decides about it. What is read here is what that one reads.
package struct JSONPull {
  package struct NotPlain: Error {
    package init() {}
  }

  let bytes: UnsafeBufferPointer<UInt8>
  var index = 0
  private var isFirst = false

  /// The bytes must outlive it.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// A place to come back to.
  package struct Mark {
    fileprivate let index: Int
    fileprivate let isFirst: Bool
  }

  package var mark: Mark { Mark(index: index, isFirst: isFirst) }

  package mutating func goBack(to mark: Mark) {
    index = mark.index
    isFirst = mark.isFirst
  }

  /// Before the first `nextKey`.
  package mutating func beginObject() throws(NotPlain) {
    try take(UInt8(ascii: "{"))
    isFirst = true
  }

  /// The key of the next member, as it stands between its quotes; nil at the end of the object.
  package mutating func nextKey() throws(NotPlain) -> UnsafeBufferPointer<UInt8>? {
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
    return key
  }

  /// Before the first `nextElement`.
  package mutating func beginArray() throws(NotPlain) {
    try take(UInt8(ascii: "["))
    isFirst = true
  }

  /// True when there is an element to be read.
  package mutating func nextElement() throws(NotPlain) -> Bool { try goesOn(to: UInt8(ascii: "]")) }

  /// Nothing but space may follow.
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
  @inlinable package static func ~= (word: StaticString, key: UnsafeBufferPointer<UInt8>) -> Bool {
    key.count == word.utf8CodeUnitCount
      && (key.isEmpty || memcmp(key.baseAddress!, word.utf8Start, key.count) == 0)
  }
}
