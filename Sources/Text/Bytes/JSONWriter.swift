/// A writer of JSON text (RFC 8259) in UTF-8, token by token.
///
/// Commas are written where a value or a key follows another value.
package struct JSONWriter {
  /// The characters of strings that are written as escapes.
  package enum Escapes: Sendable {
    /// Quotation marks, backslashes, and C0 controls as `\u00XX`.
    case required
    /// Also DEL and C1 controls; line ends and tabs as `\n`, `\r` and `\t`.
    case controls
    /// Also invisible characters with an effect, such as bidirectional controls, tags and line separators. Joiners and
    /// VS16 are not escaped, because emoji and Persian need them.
    case invisible
  }

  package private(set) var bytes: [UInt8] = []
  private let escapes: Escapes

  package init(_ escapes: Escapes, capacity: Int = 0) {
    self.escapes = escapes
    bytes.reserveCapacity(capacity)
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package mutating func beginObject() { begin(UInt8(ascii: "{")) }
  package mutating func endObject() { bytes.append(UInt8(ascii: "}")) }
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }
  package mutating func endArray() { bytes.append(UInt8(ascii: "]")) }

  /// Writes an object with the members that `members` writes.
  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    beginObject()
    members(&self)
    endObject()
  }

  /// Writes an array with the value that `value` writes for each element.
  package mutating func array<Elements: Sequence>(
    _ elements: Elements, _ value: (inout JSONWriter, Elements.Element) -> Void
  ) {
    beginArray()
    for element in elements { value(&self, element) }
    endArray()
  }

  /// Writes the key of a member, whose value follows.
  package mutating func key(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
  }

  package mutating func string(_ text: String) {
    separate()
    JSONWriter.append(text, to: &bytes, escapes)
  }

  /// Writes a number, or `true`, `false` or `null`.
  package mutating func literal(_ word: String) {
    separate()
    bytes.append(contentsOf: word.utf8)
  }

  package mutating func bool(_ flag: Bool) { literal(flag ? "true" : "false") }

  /// Ends a line after a complete value.
  package mutating func endLine() { bytes.append(UInt8(ascii: "\n")) }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
  }

  private mutating func separate() {
    switch bytes.last {
    case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: "\n"): break
    default: bytes.append(UInt8(ascii: ","))
    }
  }
}

/// Strings with their escapes.
extension JSONWriter {
  /// Appends a string with its quotation marks.
  package static func append(_ text: String, to bytes: inout [UInt8], _ escapes: Escapes) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    let isDone = text.withUTF8 { utf8 in
      // Nearly all texts need no escape.
      if isPlain(utf8) {
        bytes.append(contentsOf: utf8)
      } else if escapes == .required {
        appendRequired(utf8, to: &bytes)
      } else {
        return false
      }
      return true
    }
    if !isDone { appendScalars(of: text, to: &bytes, escapes) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Returns true if no character must be escaped: printable ASCII without quotation mark and backslash, Hangul
  /// syllables (U+AC00 to U+D7A3), ideographs (U+4E00 to U+9FFF).
  private static func isPlain(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index < utf8.count {
      let byte = utf8[index]
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): return false
      case 0x20...0x7E: index += 1
      case 0xE5...0xE9, 0xEB, 0xEC: index += 3
      case 0xEA where index + 1 < utf8.count && utf8[index + 1] >= 0xB0: index += 3
      case 0xED where index + 1 < utf8.count && utf8[index + 1] < 0x9E: index += 3
      default: return false
      }
    }
    return true
  }

  private static func appendRequired(_ utf8: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    var (start, index) = (0, 0)
    while index < utf8.count {
      let byte = utf8[index]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        bytes += UnsafeBufferPointer(rebasing: utf8[start..<index])
        if byte < 0x20 { appendEscape(UInt16(byte), to: &bytes) } else { bytes += [UInt8(ascii: "\\"), byte] }
        start = index + 1
      }
      index += 1
    }
    bytes += UnsafeBufferPointer(rebasing: utf8[start...])
  }

  private static func appendScalars(of text: String, to bytes: inout [UInt8], _ escapes: Escapes) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": bytes += #"\""#.utf8
      case "\\": bytes += #"\\"#.utf8
      case "\n": bytes += #"\n"#.utf8
      case "\r": bytes += #"\r"#.utf8
      case "\t": bytes += #"\t"#.utf8
      case " "..."~": bytes.append(UInt8(ascii: scalar))
      default:
        let isEscaped =
          escapes == .invisible
          ? isInvisible(scalar) : scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
        if isEscaped {
          appendEscape(scalar, to: &bytes)
        } else {
          bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        }
      }
    }
  }

  private static func appendEscape(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    for unit in String(scalar).utf16 { appendEscape(unit, to: &bytes) }
  }

  private static func appendEscape(_ unit: UInt16, to bytes: inout [UInt8]) {
    let digits = String(unit, radix: 16)
    bytes += "\\u".utf8
    bytes += repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count)
    bytes += digits.utf8
  }

  /// Returns true for an invisible character with an effect, except for joiners and VS16: a name without them would be
  /// a different name.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200C, 0x200D, 0xFE0F: false
    default: !scalar.isPrintable
    }
  }

  /// Returns a JSON text with invisible characters escaped.
  ///
  /// They can only occur in strings.
  package static func escapingInvisibles(in json: String) -> String { escaping(json, where: isInvisible) }

  /// Returns a JSON text with characters escaped that can only occur in strings.
  package static func escaping(_ json: String, where isEscaped: (Unicode.Scalar) -> Bool) -> String {
    guard json.unicodeScalars.contains(where: isEscaped) else { return json }
    var bytes: [UInt8] = []
    for scalar in json.unicodeScalars {
      if isEscaped(scalar) {
        appendEscape(scalar, to: &bytes)
      } else {
        bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
