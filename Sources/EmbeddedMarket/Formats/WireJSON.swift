/// A JSON text (RFC 8259) whose members keep their order and whose numbers keep their notation, because clients see both.
indirect enum WireJSON: Hashable, Sendable {
  case null
  case bool(Bool)
  /// As it is spelled: `6.0E7` and `60000000` are different numbers here.
  case number(String)
  case text(String)
  case list([WireJSON])
  case object([Member])

  struct Member: Hashable, Sendable {
    var key: String
    var value: WireJSON
    init(_ key: String, _ value: WireJSON) {
      self.key = key
      self.value = value
    }
  }

  static func number(_ integer: Int64) -> WireJSON { .number(String(integer)) }

  /// The last member of that name, as Jackson reads doubled keys; nil also when this is no object.
  subscript(key: String) -> WireJSON? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }
}

extension WireJSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
  ExpressibleByBooleanLiteral
{
  init(dictionaryLiteral elements: (String, WireJSON)...) { self = .object(elements.map { Member($0.0, $0.1) }) }
  init(arrayLiteral elements: WireJSON...) { self = .list(elements) }
  init(stringLiteral value: String) { self = .text(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension WireJSON {
  /// The text without any blank, as the servers answer: Jackson's escapes, `/` and letters beyond ASCII as they are.
  var minified: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let digits): text += digits
    case .text(let value): WireJSON.quote(value, to: &text)
    case .list(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        WireJSON.quote(member.key, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  private static func quote(_ value: String, to text: inout String) {
    text += "\""
    defer { text += "\"" }
    guard value.utf8.contains(where: isEscaped) else {
      text += value
      return
    }
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{08}": text += "\\b"
      case "\u{0C}": text += "\\f"
      case ..<" ":
        let hex = String(scalar.value, radix: 16, uppercase: true)
        text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < UInt8(ascii: " ") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }
}
