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
    case UInt8(ascii: "["): self = Self.control(bytes.dropFirst())
    // `OA` to `OD`, `OH`, `OF`. Typed by hand they arrive one by one.
    case UInt8(ascii: "O"): self = isInOneRead && bytes.count == 2 && Self.isLast(bytes[1]) ? .whole : .none
    case UInt8(ascii: "]"): self = Self.operatingSystemCommand(bytes.dropFirst(), isInOneRead: isInOneRead)
    case let byte? where Self.isString(byte): self = Self.string(bytes.dropFirst(), isInOneRead: isInOneRead)
    default: self = .none
    }
  }

  /// Classifies numbers separated by `;` and `:`, optionally after a private mark, and the last byte of a key, a paste
  /// mark or a reply.
  private static func control(_ bytes: ArraySlice<UInt8>) -> LateSequence {
    var rest = bytes
    let isPrivate = rest.first.map { "?<=>".utf8.contains($0) } ?? false
    if isPrivate { rest.removeFirst() }
    let numbers = rest.prefix { isDigit($0) || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ":") }
    rest = rest.dropFirst(numbers.count)
    // The reply to a question about a mode.
    if isPrivate, rest.first == UInt8(ascii: "$") { rest.removeFirst() }
    guard let last = rest.first else { return .begun }
    if numbers.isEmpty { return !isPrivate && isLast(last) ? .whole : .none }
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
