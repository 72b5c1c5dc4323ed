import Foundation
import Text

/// An escape syntax and its decoder.
///
/// Decoding can track the source offset of every decoded byte.
enum EscapeSyntax {
  /// Backslash escapes: `\u00e9`, `\x41`, `\"`, `\n`, as in JSON and similar languages.
  case backslashes
  /// Percent encoding: `%41`.
  case percents
  /// Form encoding: `%41`, and `+` for a space.
  case form

  /// A text without its escapes, and the offset in the escaped text at which each of its bytes begins; one offset more
  /// for the end.
  struct Reading {
    var bytes: [UInt8]
    var offsets: [Int]
  }

  /// Returns the text without its escapes, `nil` where it has none of this kind.
  func decode(_ text: [UInt8]) -> Reading? {
    text.withUnsafeBufferPointer { bytes -> Reading? in
      var read: [UInt8] = []
      var offsets: [Int] = []
      var isChanged = false
      // `done` bytes have been decoded, and `next` has the next offset of each lead byte.
      var done = 0
      let signs = leadBytes
      var next = signs.map { EscapeSyntax.place(of: $0, in: bytes, from: 0) }
      while true {
        var sign = bytes.count
        for place in next where place < sign { sign = place }
        guard sign < bytes.count else { break }
        if read.isEmpty { read.reserveCapacity(bytes.count) }
        read += UnsafeBufferPointer(rebasing: bytes[done..<sign])
        offsets += done..<sign
        done = sign
        var end = sign + 1
        let count = read.count
        if let length = decodeUnit(text, sign, &read) {
          isChanged = true
          offsets += repeatElement(sign, count: read.count - count)
          end = sign + length
          done = end
        }
        for index in next.indices where next[index] < end {
          next[index] = EscapeSyntax.place(of: signs[index], in: bytes, from: end)
        }
      }
      guard isChanged else { return nil }
      read += bytes[done...]
      return Reading(bytes: read, offsets: offsets + (done...bytes.count))
    }
  }

  /// The lead bytes of escapes in this syntax.
  private var leadBytes: [UInt8] {
    switch self {
    case .backslashes: [UInt8(ascii: "\\")]
    case .percents: [UInt8(ascii: "%")]
    case .form: [UInt8(ascii: "%"), UInt8(ascii: "+")]
    }
  }

  /// Returns the offset of the next lead byte, or the end of the text.
  private static func place(of sign: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    ByteSearch.offset(of: sign, in: UnsafeRawBufferPointer(bytes), from: start) ?? bytes.count
  }

  /// The syntaxes whose characters are in the text.
  static func candidates(in bytes: UnsafeBufferPointer<UInt8>, form hasForms: Bool) -> [EscapeSyntax] {
    func has(_ sign: UInt8) -> Bool { place(of: sign, in: bytes, from: 0) < bytes.count }
    var found: [EscapeSyntax] = []
    if has(UInt8(ascii: "\\")) { found.append(.backslashes) }
    if has(UInt8(ascii: "%")) { found.append(.percents) }
    // Form encoding writes a space as `+`; if no secret contains a space, `+` is not a lead byte.
    if hasForms, has(UInt8(ascii: "+")) { found.append(.form) }
    return found
  }

  /// Decodes one escape and appends its bytes to `written`.
  ///
  /// Returns its length in the source, or `nil` if it is not an escape.
  private func decodeUnit(_ bytes: [UInt8], _ place: Int, _ written: inout [UInt8]) -> Int? {
    switch bytes[place] {
    case UInt8(ascii: "\\"): return EscapeSyntax.backslash(bytes, place, &written)
    case UInt8(ascii: "%"):
      guard let value = EscapeSyntax.hex(bytes, place + 1, 2) else { return nil }
      written.append(UInt8(value))
      return 3
    default:
      written.append(32)
      return 1
    }
  }

  private static func backslash(_ bytes: [UInt8], _ place: Int, _ written: inout [UInt8]) -> Int? {
    guard place + 1 < bytes.count else { return nil }
    switch bytes[place + 1] {
    case UInt8(ascii: "u"): return unicode(bytes, place, &written)
    case UInt8(ascii: "U"):
      guard let code = hex(bytes, place + 2, 8), append(code, &written) else { return nil }
      return 10
    case UInt8(ascii: "x"):
      guard let value = hex(bytes, place + 2, 2) else { return nil }
      written.append(UInt8(value))
      return 4
    case UInt8(ascii: "b"): written.append(8)
    case UInt8(ascii: "t"): written.append(9)
    case UInt8(ascii: "n"): written.append(10)
    case UInt8(ascii: "f"): written.append(12)
    case UInt8(ascii: "r"): written.append(13)
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "/"): written.append(bytes[place + 1])
    default: return nil
    }
    return 2
  }

  /// Decodes `\u00e9`, `\ud83d\ude00` or `\u{1F600}`.
  private static func unicode(_ bytes: [UInt8], _ place: Int, _ written: inout [UInt8]) -> Int? {
    if place + 2 < bytes.count, bytes[place + 2] == UInt8(ascii: "{") {
      guard let end = bytes[place...].prefix(12).firstIndex(of: UInt8(ascii: "}")),
        let code = hex(bytes, place + 3, end - place - 3), append(code, &written)
      else { return nil }
      return end + 1 - place
    }
    guard let first = hex(bytes, place + 2, 4) else { return nil }
    if append(first, &written) { return 6 }
    guard (0xD800..<0xDC00).contains(first), place + 7 < bytes.count, bytes[place + 6] == UInt8(ascii: "\\"),
      bytes[place + 7] == UInt8(ascii: "u"), let second = hex(bytes, place + 8, 4), (0xDC00..<0xE000).contains(second),
      append(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00), &written)
    else { return nil }
    return 12
  }

  private static func hex(_ bytes: [UInt8], _ start: Int, _ count: Int) -> UInt32? {
    guard count > 0, count <= 8, start + count <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[start..<(start + count)] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  private static func append(_ code: UInt32, _ written: inout [UInt8]) -> Bool {
    guard let scalar = Unicode.Scalar(code) else { return false }
    written += Array(String(Character(scalar)).utf8)
    return true
  }
}
