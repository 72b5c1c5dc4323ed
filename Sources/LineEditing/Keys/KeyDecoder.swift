/// Turns the bytes of a terminal into keys: UTF-8, escape sequences, bracketed paste. Pure, so a table can test it.
struct KeyDecoder {
  /// Whether `ESC` and a character make one key (Alt in emacs) or two (vi, where `ESC` ends the insertion).
  var joinsEscape = true
  private var bytes: [UInt8] = []
  private var paste: [UInt8]?
  private var pasteIsTooLong = false
  private static let pasteStart: [UInt8] = Array("\u{1B}[200~".utf8)
  private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

  /// Whether an `ESC` waits for what may follow it.
  var isInsideEscape: Bool { paste == nil && bytes.first == 0x1B }

  mutating func decode(_ new: some Sequence<UInt8>) -> [Key] {
    bytes += new
    var keys: [Key] = []
    var start = 0
    while start < bytes.count {
      if paste != nil {
        takePaste(&start, into: &keys)
        if paste != nil { break }
        continue
      }
      guard let (key, count) = key(at: start) else { break }
      start += count
      if key == .sequence(Self.pasteStart) {
        paste = []
      } else {
        keys.append(key)
      }
    }
    bytes.removeFirst(start)
    return keys
  }

  /// Nothing followed for a while: what waits is what it is.
  mutating func settle() -> [Key] {
    guard isInsideEscape else { return [] }
    let rest = bytes.dropFirst()
    bytes = []
    return [.escape] + rest.map { .scalar(Unicode.Scalar($0)) }
  }

  private mutating func takePaste(_ start: inout Int, into keys: inout [Key]) {
    var got = paste ?? []
    while start < bytes.count {
      let byte = bytes[start]
      if byte == 0x1B {
        let tail = bytes[start...].prefix(Self.pasteEnd.count)
        if tail.elementsEqual(Self.pasteEnd) {
          start += Self.pasteEnd.count
          keys.append(.paste(Self.pasted(got, isTooLong: pasteIsTooLong)))
          (paste, pasteIsTooLong) = (nil, false)
          return
        }
        if Self.pasteEnd.starts(with: tail) { break }
      }
      if got.count > LineLimit.bytes { pasteIsTooLong = true } else { got.append(byte) }
      start += 1
    }
    paste = got
  }

  /// Line ends become newlines, tabs spaces; other control characters are left out, and the last line end too,
  /// since a paste only ever waits for Enter.
  private static func pasted(_ bytes: [UInt8], isTooLong: Bool) -> Key.Paste {
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      return Key.Paste(text: isTooLong ? "" : "\u{FFFD}", isText: isTooLong, isTooLong: isTooLong)
    }
    var scalars = String.UnicodeScalarView()
    var afterReturn = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\r": scalars.append("\n")
      case "\n": if !afterReturn { scalars.append("\n") }
      case "\t": scalars.append(" ")
      default: if !(scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)) { scalars.append(scalar) }
      }
      afterReturn = scalar == "\r"
    }
    while scalars.last == "\n" { scalars.removeLast() }
    return Key.Paste(text: String(scalars), isTooLong: isTooLong)
  }

  private func key(at start: Int) -> (Key, Int)? {
    let first = bytes[start]
    if first == 0x1B { return escape(at: start) }
    if first < 0x80 { return (.scalar(Unicode.Scalar(first)), 1) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard (0xC2...0xF4).contains(first) else { return (.notText, 1) }
    let part = bytes[start...].prefix(length)
    let following = part.dropFirst().prefix { $0 & 0xC0 == 0x80 }.count
    if following < part.count - 1 { return (.notText, 1 + following) }
    if part.count < length { return nil }
    guard let text = String(validating: part, as: UTF8.self), let scalar = text.unicodeScalars.first else {
      return (.notText, length)
    }
    return (.scalar(scalar), length)
  }

  private func escape(at start: Int) -> (Key, Int)? {
    guard start + 1 < bytes.count else { return nil }
    let second = bytes[start + 1]
    var end = start + 2
    if second == UInt8(ascii: "[") {
      while end < bytes.count, (0x20...0x3F).contains(bytes[end]) { end += 1 }
    } else if second != UInt8(ascii: "O") {
      return joinsEscape && second < 0x80 && second != 0x1B ? (.sequence([0x1B, second]), 2) : (.escape, 1)
    }
    guard end < bytes.count else { return nil }
    return (.sequence(Array(bytes[start...end])), end - start + 1)
  }
}
