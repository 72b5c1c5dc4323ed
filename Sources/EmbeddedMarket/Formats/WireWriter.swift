/// Writes a JSON text (RFC 8259) straight into its bytes: what has its own order and notation already needs no tree of values.
///
/// The text has no blank, as the servers answer: Jackson's escapes, `/` and letters beyond ASCII as they are.
struct WireWriter: Sendable {
  private(set) var bytes: [UInt8] = []

  /// `room` is about how many bytes the text will have.
  init(room: Int = 0) { bytes.reserveCapacity(room) }

  /// An object; `members` writes each with a `member` of this writer.
  mutating func object(_ members: (inout WireWriter) -> Void) {
    add(UInt8(ascii: "{"))
    members(&self)
    add(UInt8(ascii: "}"))
  }

  /// A list; `value` writes one value for each element.
  mutating func list<Element>(_ elements: [Element], _ value: (Element, inout WireWriter) -> Void) {
    add(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { add(UInt8(ascii: ",")) }
      value(element, &self)
    }
    add(UInt8(ascii: "]"))
  }

  /// A member whose value `value` writes. The key is plain ASCII.
  mutating func member(_ key: StaticString, _ value: (inout WireWriter) -> Void) {
    // A value never ends in an opening brace: only the first member stands behind one.
    if bytes.last != UInt8(ascii: "{") { add(UInt8(ascii: ",")) }
    add(UInt8(ascii: "\""))
    plain(key)
    plain("\":")
    value(&self)
  }

  mutating func member(_ key: StaticString, _ value: Int64) { member(key) { $0.integer(value) } }
  mutating func member(_ key: StaticString, _ value: Bool) { member(key) { $0.plain(value ? "true" : "false") } }
  mutating func member(_ key: StaticString, _ value: String) { member(key) { $0.text(value) } }

  mutating func text(_ value: String) {
    quoted { $0.inside(value) }
  }

  /// A text that is written in pieces with `inside`, `plain` and numbers.
  mutating func quoted(_ pieces: (inout WireWriter) -> Void) {
    add(UInt8(ascii: "\""))
    pieces(&self)
    add(UInt8(ascii: "\""))
  }

  /// A piece of a text, escaped where it must be.
  mutating func inside(_ value: String) {
    var value = value
    value.withUTF8 { piece in
      if !WireWriter.hasEscapes(piece) { return bytes.append(contentsOf: piece) }
      for byte in piece { escaped(byte) }
    }
  }

  /// Bytes that need no escape.
  mutating func plain(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// A number as it is spelled.
  mutating func number(_ digits: String) {
    var digits = digits
    digits.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// In digits, with zeros before it up to the width; the sign counts for nothing.
  mutating func integer(_ value: Int64, width: Int = 1) {
    if value < 0 { add(UInt8(ascii: "-")) }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(20, width)) { digits in
      var rest = value.magnitude
      var first = digits.count
      while rest > 0 || digits.count - first < width {
        first -= 1
        digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[first...]))
    }
  }

  mutating func add(_ byte: UInt8) { bytes.append(byte) }

  /// Without a way out in the middle, so that many bytes are looked at in one step.
  private static func hasEscapes(_ piece: UnsafeBufferPointer<UInt8>) -> Bool {
    var found: UInt8 = 0
    for byte in piece {
      found |= byte < 0x20 ? 1 : 0
      found |= byte == UInt8(ascii: "\"") ? 1 : 0
      found |= byte == UInt8(ascii: "\\") ? 1 : 0
    }
    return found != 0
  }

  private mutating func escaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): plain("\\\"")
    case UInt8(ascii: "\\"): plain("\\\\")
    case 0x0A: plain("\\n")
    case 0x0D: plain("\\r")
    case 0x09: plain("\\t")
    case 0x08: plain("\\b")
    case 0x0C: plain("\\f")
    case ..<0x20:
      plain("\\u00")
      number((byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true))
    default: add(byte)
    }
  }
}
