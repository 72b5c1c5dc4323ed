import CEditLine

/// Decodes the bytes of a terminal into keys: UTF-8, escape sequences, bracketed paste.
///
/// It is a pure value, so that tests can be tables.
struct KeyDecoder {
  /// Indicates whether `ESC` and a character are one key (Alt in emacs) or two (vi, where `ESC` ends the insertion).
  var joinsEscape = true
  /// Indicates whether the terminal has sent a key in the form of kitty's protocol or of `modifyOtherKeys`, so that one of
  /// these modes is on.
  private(set) var hasOtherForms = false
  private var bytes: [UInt8] = []
  private var paste: [UInt8]?
  private var pasteIsTooLong = false
  private static let pasteStart: [UInt8] = Array("\u{1B}[200~".utf8)
  private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

  /// Indicates whether Ctrl-C ended a paste before its end mark, so that the rest of it may still arrive.
  private var pasteMayGoOn = false
  /// Indicates whether bytes after an end mark count as pasted, because a pasted text may contain that mark and a return after
  /// it must not run a line.
  ///
  /// It is true for the rest of the read with the mark, and until no byte has come for a moment.
  private var countsAsPasted = false
  /// The size of a read from which a paste may be longer than the read, so that a mark at its end may be within the text.
  private static let longRead = 1_024
  /// The bytes after an `ESC` that was taken for the Esc key or for Alt, while they may be the rest of an escape
  /// sequence; `nil` if the key before was another one.
  private var lateTail: [UInt8]?
  /// The number of these bytes that were taken for keys.
  private var takenCount = 0

  /// The `poll` timeout in milliseconds while a sequence is incomplete, or -1 for no limit.
  ///
  /// Only time distinguishes the Esc key from the start of a sequence. `ESC` followed by `[` or `O` is not a key: the
  /// rest may arrive late over a slow connection, and its characters must not be inserted. A paste ends with its end
  /// mark or with Ctrl-C.
  var waitLimit: Int32 {
    guard paste == nil else { return -1 }
    if countsAsPasted, bytes.isEmpty { return 50 }
    if bytes.isEmpty, let first = lateTail?.first, lateTail?.count != takenCount {
      return first == UInt8(ascii: "]") ? 500 : LateSequence.isString(first) ? 150 : -1
    }
    guard bytes.first == 0x1B else { return -1 }
    guard bytes.count > 1 else { return 50 }
    switch bytes[1] {
    case UInt8(ascii: "]"): return bytes.count == 2 ? 50 : bytes[2...].allSatisfy(LateSequence.isDigit) ? 500 : 5_000
    // Alt-P, Alt-X, Alt-^, Alt-_ and vi's commands after Esc.
    case let byte where LateSequence.isString(byte):
      return bytes.count == 2 || !joinsEscape && !LateSequence.isReply(bytes[2...]) ? 50 : 5_000
    default: return -1
    }
  }

  mutating func decode(_ new: some Collection<UInt8>) -> [Key] {
    // A Ctrl-C that arrives alone was pressed; within other bytes it may be pasted.
    if paste != nil, !new.isEmpty, new.allSatisfy({ $0 == 3 }) || isModifiedInterrupt(new) {
      (paste, pasteIsTooLong, pasteMayGoOn, bytes) = (nil, false, true, [])
      return [.scalar("\u{3}")]
    }
    if new.elementsEqual([3]) || isModifiedInterrupt(new) { countsAsPasted = false }
    if pasteMayGoOn { followCancelledPaste(new) }
    bytes += lateBytes(new) ?? Array(new)
    if lateTail?.isEmpty == false, paste == nil { return [] }
    var keys: [Key] = []
    var rest: [UInt8] = []
    var start = 0
    while start < bytes.count {
      if paste != nil {
        takePaste(&start, into: &keys)
        if paste != nil { break }
        countsAsPasted = start < bytes.count || new.count >= Self.longRead
        continue
      }
      guard let (key, count) = key(at: start) else { break }
      start += count
      if countsAsPasted, key != .sequence(Self.pasteStart) {
        if case .scalar(let scalar)? = key { rest += Array(String(scalar).utf8) }
        continue
      }
      flush(&rest, into: &keys)
      switch key {
      case .sequence(Self.pasteStart): (paste, pasteMayGoOn) = ([], false)
      case .sequence(Self.pasteEnd): pasteMayGoOn = false
      case .sequence(let sequence):
        let modified = ModifiedKey.keys(of: sequence, joinsEscape: joinsEscape)
        if modified != nil, sequence.last == UInt8(ascii: "u") || sequence.starts(with: Array("\u{1B}[27;".utf8)) {
          hasOtherForms = true
        }
        keys += modified ?? [.sequence(sequence)]
      case let key?: keys.append(key)
      case nil: break
      }
    }
    flush(&rest, into: &keys)
    bytes.removeFirst(start)
    return keys
  }

  /// Adds the text that followed the end mark of a paste, without the keys in it.
  private func flush(_ rest: inout [UInt8], into keys: inout [Key]) {
    guard !rest.isEmpty else { return }
    let text = Self.pasted(rest, isTooLong: rest.count > LineLimit.bytes)
    if !text.text.isEmpty || text.isTooLong { keys.append(.paste(text)) }
    rest = []
  }

  /// Ends an incomplete sequence because nothing followed within ``waitLimit``.
  mutating func endSequence() -> [Key] {
    guard waitLimit >= 0 else { return [] }
    if countsAsPasted {
      (countsAsPasted, bytes) = (false, [])
      return []
    }
    if bytes.isEmpty, let held = lateTail {
      lateTail = nil
      let keys = decode(held.dropFirst(takenCount))
      (lateTail, takenCount) = (held, held.count)
      return keys
    }
    let rest = Array(bytes.dropFirst())
    bytes = []
    guard rest.count > 1 else {
      let keys = rest.isEmpty ? [.escape] : joinsEscape ? [.sequence([0x1B] + rest)] : [.escape] + decode(rest)
      (lateTail, takenCount) = (rest, rest.count)
      return keys
    }
    // It was Alt-], followed by a number.
    if rest[0] == UInt8(ascii: "]"), rest[1...].allSatisfy(LateSequence.isDigit) {
      return [joinsEscape ? .sequence([0x1B, rest[0]]) : .escape] + decode(joinsEscape ? Array(rest[1...]) : rest)
    }
    // A sequence without an end inserts nothing.
    return joinsEscape || rest[0] == UInt8(ascii: "]") || LateSequence.isReply(rest[1...])
      ? [] : [.escape] + decode(rest)
  }

  /// Returns whether bytes that arrive alone are Ctrl-C of a terminal that sends keys in another form.
  private func isModifiedInterrupt(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.first == 0x1B && bytes.count < 20
      && ModifiedKey.keys(of: Array(bytes), joinsEscape: joinsEscape) == [.scalar("\u{3}")]
  }

  /// Handles the rest of a paste that Ctrl-C has ended.
  ///
  /// A return among other bytes was not pressed, so these bytes are pasted text and wait for Enter. A return that
  /// arrives alone was pressed.
  private mutating func followCancelledPaste(_ new: some Collection<UInt8>) {
    guard paste == nil, new.contains(where: { $0 == 10 || $0 == 13 }) else { return }
    if new.count > 1 { paste = [] }
    pasteMayGoOn = false
  }

  /// Returns the bytes including the `ESC` they belong to, if it arrived so early that it was taken for the Esc key;
  /// `nil` if they do not continue a sequence.
  ///
  /// Bytes that may continue one are held until that is decided.
  private mutating func lateBytes(_ new: some Collection<UInt8>) -> [UInt8]? {
    guard let held = lateTail, paste == nil else { return nil }
    let tail = held + new
    let taken = takenCount
    switch LateSequence(tail, isInOneRead: held.count == taken) {
    case .whole:
      (lateTail, takenCount) = (nil, 0)
      return [0x1B] + tail
    case .begun:
      lateTail = tail
      return []
    case .none:
      (lateTail, takenCount) = (nil, 0)
      return held.isEmpty ? nil : Array(tail.dropFirst(taken))
    }
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

  /// Returns the pasted text: line ends become newlines, tabs spaces; other control characters, a byte order mark at the
  /// beginning, and the last line end are removed, because a paste must always wait for Enter.
  private static func pasted(_ bytes: [UInt8], isTooLong: Bool) -> Key.Paste {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return Key.Paste(text: isTooLong ? "" : "\u{FFFD}", isValidUTF8: isTooLong, isTooLong: isTooLong)
    }
    var scalars = String.UnicodeScalarView()
    var afterReturn = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\u{FEFF}" where scalars.isEmpty: break
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

  /// Returns the key that begins at `start` and its length; `nil` if it is incomplete, and a key of `nil` for bytes to
  /// skip.
  private func key(at start: Int) -> (Key?, Int)? {
    let first = bytes[start]
    if first == 0x1B { return escape(at: start) }
    if first < 0x80 { return (.scalar(Unicode.Scalar(first)), 1) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard (0xC2...0xF4).contains(first) else { return (.invalidUTF8, 1) }
    let part = bytes[start...].prefix(length)
    let following = part.dropFirst().prefix { $0 & 0xC0 == 0x80 }.count
    if following < part.count - 1 { return (.invalidUTF8, 1 + following) }
    if part.count < length { return nil }
    guard let text = String(validating: part, as: UTF8.self), let scalar = text.unicodeScalars.first else {
      return (.invalidUTF8, length)
    }
    return (.scalar(scalar), length)
  }

  private func escape(at start: Int) -> (Key?, Int)? {
    guard start + 1 < bytes.count else { return nil }
    let second = bytes[start + 1]
    switch second {
    case UInt8(ascii: "["): return controlSequence(at: start)
    case UInt8(ascii: "O"):
      var end = start + 2
      while end < bytes.count, (0x30...0x3B).contains(bytes[end]) { end += 1 }
      return sequence(from: start, to: end)
    // A reply of the terminal (OSC, DCS, SOS, PM, APC), which may arrive late.
    case UInt8(ascii: "]"):
      guard start + 2 < bytes.count else { return nil }
      let content = bytes[(start + 2)...]
      if LateSequence.isOperatingSystemCommand(content) { return response(at: start) }
      if content.allSatisfy(LateSequence.isDigit) { return nil }
      // It was Alt-].
      return joinsEscape ? (.sequence([0x1B, second]), 2) : (.escape, 1)
    case let byte where LateSequence.isString(byte): return response(at: start)
    // Ctrl-C is never part of another key.
    case 3: return (joinsEscape ? nil : .escape, 1)
    default:
      return joinsEscape && second < 0x80 && second != 0x1B ? (.sequence([0x1B, second]), 2) : (.escape, 1)
    }
  }

  private func controlSequence(at start: Int) -> (Key?, Int)? {
    var end = start + 2
    guard end < bytes.count else { return nil }
    // The function keys of the Linux console: `ESC [ [ A`.
    if bytes[end] == UInt8(ascii: "[") { return sequence(from: start, to: end + 1) }
    // Followed by the three bytes of a mouse event.
    if bytes[end] == UInt8(ascii: "M") { return end + 3 < bytes.count ? (nil, 6) : nil }
    while end < bytes.count, (0x20...0x3F).contains(bytes[end]) { end += 1 }
    return sequence(from: start, to: end)
  }

  /// Returns the sequence whose last byte is at `end`.
  ///
  /// A byte that cannot end one begins a new key.
  private func sequence(from start: Int, to end: Int) -> (Key?, Int)? {
    guard end < bytes.count else { return nil }
    guard (0x40...0x7E).contains(bytes[end]) else { return (nil, end - start) }
    return (.sequence(Array(bytes[start...end])), end - start + 1)
  }

  /// Skips a reply from its introducer to BEL or `ESC \`.
  private func response(at start: Int) -> (Key?, Int)? {
    var end = start + 2
    while end < bytes.count {
      switch bytes[end] {
      case 7: return (nil, end - start + 1)
      // A key that cannot be part of it.
      case 3: return (nil, end - start)
      // It was Alt with a key, followed by more keys. After `ESC ]` and a number, a reply without an end inserts
      // nothing.
      case 0..<0x1B, 0x1C..<0x20:
        if bytes[start + 1] == UInt8(ascii: "]") { return (nil, end - start) }
        return joinsEscape ? (.sequence([0x1B, bytes[start + 1]]), 2) : (.escape, 1)
      case 0x1B:
        guard end + 1 < bytes.count else { return nil }
        return (nil, end - start + (bytes[end + 1] == UInt8(ascii: "\\") ? 2 : 0))
      default: end += 1
      }
    }
    return nil
  }
}

/// A key press or other event from the terminal.
enum Key: Equatable {
  case scalar(Unicode.Scalar)
  /// A complete escape sequence including its `ESC`.
  case sequence([UInt8])
  /// An `ESC` that nothing followed.
  case escape
  /// The text of a bracketed paste.
  case paste(Paste)
  /// A byte that is not part of UTF-8 text.
  case invalidUTF8

  struct Paste: Equatable {
    var text: String
    var isValidUTF8 = true
    var isTooLong = false
  }
}

/// Determines whether bytes are the rest of an escape sequence whose `ESC` arrived alone and was taken for the Esc key, or
/// whose introducer was taken for Alt with a key.
///
/// The bytes of a key arrive in one read, or one by one over a slow connection. A user who presses Esc may type `[`
/// next, so only bytes that begin like a key's sequence, a paste mark or a reply of the terminal are held.
enum LateSequence: Equatable {
  case whole, begun, none

  /// Classifies the bytes.
  ///
  /// `isInOneRead` means that those that were not taken for a key arrived together.
  init(_ bytes: [UInt8], isInOneRead: Bool) {
    switch bytes.first {
    case UInt8(ascii: "["): self = Self.control(bytes.dropFirst(), isInOneRead: isInOneRead)
    // `OA` to `OD`, `OH`, `OF`. Typed by hand they arrive one by one.
    case UInt8(ascii: "O"): self = isInOneRead && bytes.count == 2 && Self.isLast(bytes[1]) ? .whole : .none
    case UInt8(ascii: "]"): self = Self.operatingSystemCommand(bytes.dropFirst(), isInOneRead: isInOneRead)
    case let byte? where Self.isString(byte): self = Self.string(bytes.dropFirst(), isInOneRead: isInOneRead)
    default: self = .none
    }
  }

  /// Classifies numbers separated by `;` and `:`, optionally after a private mark, and the last byte of a key, a paste
  /// mark or a reply.
  private static func control(_ bytes: ArraySlice<UInt8>, isInOneRead: Bool) -> LateSequence {
    var rest = bytes
    let isPrivate = rest.first.map { "?<=>".utf8.contains($0) } ?? false
    if isPrivate { rest.removeFirst() }
    let numbers = rest.prefix { isDigit($0) || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ":") }
    rest = rest.dropFirst(numbers.count)
    // The reply to a question about a mode.
    if isPrivate, rest.first == UInt8(ascii: "$") { rest.removeFirst() }
    guard let last = rest.first else { return .begun }
    // `I` and `O` report the focus; typed by hand they arrive one by one.
    if numbers.isEmpty {
      return !isPrivate && (isLast(last) || isInOneRead && "IO".utf8.contains(last)) ? .whole : .none
    }
    return isLast(last) || "~Rucmnty".utf8.contains(last) || (isPrivate && last == UInt8(ascii: "M")) ? .whole : .none
  }

  private static func isLast(_ byte: UInt8) -> Bool { "ABCDEFHPQSZ".utf8.contains(byte) }

  // MARK: Strings

  /// Returns whether `ESC` and this byte introduce a string: OSC, DCS, SOS, PM, APC.
  static func isString(_ byte: UInt8) -> Bool { "]PX^_".utf8.contains(byte) }

  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Returns whether the bytes after `ESC ]` are those of a reply and not typed after Alt-]: a number and `;`, or a
  /// title with its end.
  static func isOperatingSystemCommand(_ content: ArraySlice<UInt8>) -> Bool {
    let number = content.prefix(while: isDigit)
    if !number.isEmpty, content.dropFirst(number.count).first == UInt8(ascii: ";") { return true }
    return (content.first == UInt8(ascii: "l") || content.first == UInt8(ascii: "L")) && hasEnd(content)
  }

  /// The numbers of the commands that terminals reply to: colors and the clipboard.
  private static let repliedNumbers = Set(["4", "5", "21", "52"] + (10...19).map { String($0) })

  private static func operatingSystemCommand(_ content: ArraySlice<UInt8>, isInOneRead: Bool) -> LateSequence {
    let number = content.prefix(while: isDigit)
    if number.count == content.count { return number.count <= 4 ? .begun : .none }
    guard isOperatingSystemCommand(content) else { return .none }
    return isInOneRead || repliedNumbers.contains(String(decoding: number, as: UTF8.self)) ? .whole : .none
  }

  /// Classifies the content of DCS, SOS, PM or APC.
  ///
  /// Its introducers are characters that are typed after Esc, so only content that no one types is taken for a reply.
  private static func string(_ content: ArraySlice<UInt8>, isInOneRead: Bool) -> LateSequence {
    if content.isEmpty { return isInOneRead ? .begun : .none }
    guard content.count > 1 else { return .none }
    return isReply(content) || hasEnd(content) ? .whole : .none
  }

  /// Returns whether the content of DCS, SOS, PM or APC begins like a reply.
  static func isReply(_ content: ArraySlice<UInt8>) -> Bool {
    let afterNumber = content.drop(while: isDigit)
    return ["+r", "$r"].contains { afterNumber.starts(with: $0.utf8) }
      || [">|", "!|"].contains { content.starts(with: $0.utf8) }
  }

  /// Returns whether BEL or `ESC \` ends the content before any other control character.
  private static func hasEnd(_ content: ArraySlice<UInt8>) -> Bool {
    guard let end = content.firstIndex(where: { $0 < 0x20 }) else { return false }
    return content[end] == 7 || content[end...].starts(with: [0x1B, UInt8(ascii: "\\")])
  }
}
