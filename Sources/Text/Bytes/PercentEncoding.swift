import Glibc

/// Percent-encoding with fixed tables (RFC 3986), so that no library decides what a name or an id can do to a URL.
package enum PercentEncoding {
  /// Encodes a path segment: `/`, `?`, `#`, `%` and everything outside `pchar`, and the dots of `.` and `..`, which
  /// would change the path.
  package static func segment(_ text: String) -> String {
    if text == "." || text == ".." { return text.map { _ in "%2E" }.joined() }
    return encode(text, keeping: segmentBytes)
  }

  /// Encodes a query name or value.
  ///
  /// Only unreserved characters remain, so `+`, `&`, `=` and Korean arrive as typed; a space is `%20`.
  package static func query(_ text: String) -> String { encode(text, keeping: unreservedBytes) }

  /// Decodes percent-encoded text, or returns `nil` for an incomplete escape or for bytes that are not UTF-8.
  package static func decode(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Substring(text).utf8
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Returns any bytes with all but unreserved characters encoded.
  package static func query(_ bytes: some Collection<UInt8>) -> String { encode(bytes, keeping: unreservedBytes) }

  /// Returns the target of a URL with its valid escapes, and with everything encoded that isn't permitted in a URL, such
  /// as a `%` without two digits after it.
  package static func target(_ text: String) -> String {
    let bytes = Array(text.utf8)
    return bytes.indices.map { index in
      let isEscape =
        bytes[index] == UInt8(ascii: "%")
        && bytes[(index + 1)...].prefix(2).compactMap(hexValue).count == 2
      return isEscape ? "%" : encode([bytes[index]], keeping: targetBytes)
    }.joined()
  }

  /// Returns a path, whose slashes stay.
  package static func path(_ text: String) -> String { encode(text, keeping: pathBytes) }

  private static func encode(_ text: String, keeping stored: ASCIISet) -> String {
    text.utf8.allSatisfy(stored.contains) ? text : encode(text.utf8, keeping: stored)
  }

  private static func encode(_ bytes: some Collection<UInt8>, keeping stored: ASCIISet) -> String {
    var result: [UInt8] = []
    for byte in bytes {
      if stored.contains(byte) {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static let hexDigits = Array("0123456789ABCDEF".utf8)
  private static let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
  private static let unreservedBytes = ASCIISet(unreserved)
  private static let pathBytes = ASCIISet(unreserved + "/")
  private static let targetBytes = ASCIISet(unreserved + "!$&'()*+,;=:@/?#")
  private static let segmentBytes = ASCIISet(unreserved + "!$&'()*+,;=:@")
}

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
