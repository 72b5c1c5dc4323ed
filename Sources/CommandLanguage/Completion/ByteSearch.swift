import Glibc

/// Searches of bytes.
enum ByteSearch {
  /// Returns the offset of `needle`, `nil` where it is not found or empty.
  static func first(_ needle: [UInt8], in text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    guard let base = text.base.baseAddress, let byte = needle.first else { return nil }
    var place = text.startIndex
    while text.endIndex - place >= needle.count {
      let last = text.endIndex - needle.count
      guard let hit = memchr(base + place, Int32(byte), last - place + 1) else { return nil }
      place = UnsafeRawPointer(hit) - UnsafeRawPointer(base)
      if memcmp(hit, needle, needle.count) == 0 { return place }
      place += 1
    }
    return nil
  }

  /// Returns whether the text contains these characters in order; both are UTF-8.
  ///
  /// Characters are compared completely: the bytes of one never occur inside another.
  static func containsSubsequence(_ letters: [UInt8], in text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    letters.withUnsafeBufferPointer { letters in
      let bytes = text.base
      var (place, met) = (text.startIndex, 0)
      while met < letters.count, place < text.endIndex {
        let width = max(1, (~letters[met]).leadingZeroBitCount)
        if bytes[place] == letters[met], place + width <= text.endIndex,
          (1..<width).allSatisfy({ bytes[place + $0] == letters[met + $0] })
        {
          place += width
          met += width
        } else {
          place += 1
        }
      }
      return met == letters.count
    }
  }
}
