import Glibc

/// Some of the 128 characters of ASCII, one bit each: asked for every byte of every request.
package struct ASCIISet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// The characters of a text; what is not ASCII is left out.
  package init(_ text: String) {
    for byte in text.utf8 where byte < 128 {
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
    }
  }

  package func contains(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<64: low & 1 << UInt64(byte) != 0
    case 64..<128: high & 1 << UInt64(byte - 64) != 0
    default: false
    }
  }
}

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
    while let index = offset(of: first, in: candidates, from: start) {
      if memcmp(base + index, needle, needle.count) == 0 { return index }
      start = index + 1
    }
    return nil
  }
}
