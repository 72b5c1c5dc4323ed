/// Determines whether bytes are the rest of an escape sequence whose `ESC` arrived alone and was taken for the Esc key.
///
/// The bytes of a key arrive in one read, or one by one over a slow connection. A user who presses Esc may type `[`
/// next, so only bytes that begin like a key's sequence or a paste mark are held.
enum LateSequence: Equatable {
  case whole, begun, none

  /// Classifies the bytes.
  ///
  /// `isInOneRead` means that they arrived together.
  init(_ bytes: [UInt8], isInOneRead: Bool) {
    switch bytes.first {
    case UInt8(ascii: "["): self = Self.control(bytes.dropFirst())
    // `OA` to `OD`, `OH`, `OF`, and the reply to a color query. Typed by hand they arrive one by one.
    case UInt8(ascii: "O"): self = isInOneRead && bytes.count == 2 && Self.isLast(bytes[1]) ? .whole : .none
    case UInt8(ascii: "]"):
      self = isInOneRead && bytes.dropFirst().first.map { (0x30...0x39).contains($0) } == true ? .whole : .none
    default: self = .none
    }
  }

  /// Classifies numbers separated by `;`, optionally after `?` or `<`, and the last byte of a key, a paste mark or a
  /// reply.
  private static func control(_ bytes: ArraySlice<UInt8>) -> LateSequence {
    var rest = bytes
    let isPrivate = rest.first == UInt8(ascii: "?") || rest.first == UInt8(ascii: "<")
    if isPrivate { rest.removeFirst() }
    let numbers = rest.prefix { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ";") }
    guard let last = rest.dropFirst(numbers.count).first else { return .begun }
    if numbers.isEmpty { return !isPrivate && isLast(last) ? .whole : .none }
    return isLast(last) || "~Rucmy".utf8.contains(last) || (isPrivate && last == UInt8(ascii: "M")) ? .whole : .none
  }

  private static func isLast(_ byte: UInt8) -> Bool { "ABCDEFHPQSZ".utf8.contains(byte) }
}
