import Glibc

/// Searches of bytes with `memchr`, which tests many bytes at a time.
package enum ByteSearch {
  /// Returns the offset of the first such byte at or after `start`, or `nil`.
  package static func offset(of byte: UInt8, in text: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
    guard start < text.count, let base = text.baseAddress,
      let found = memchr(base + start, Int32(byte), text.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  /// Returns the offset of the first occurrence of `needle`, or `nil` if there is none or the needle is empty.
  package static func offset(of needle: [UInt8], in text: UnsafeRawBufferPointer) -> Int? {
    guard let first = needle.first, let base = text.baseAddress, text.count >= needle.count else { return nil }
    let candidates = UnsafeRawBufferPointer(rebasing: text[...(text.count - needle.count)])
    var start = 0
    while let place = offset(of: first, in: candidates, from: start) {
      if memcmp(base + place, needle, needle.count) == 0 { return place }
      start = place + 1
    }
    return nil
  }
}
