import Foundation

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
