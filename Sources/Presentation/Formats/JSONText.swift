import Catalog
import Text

/// JSON as data formats promise it: keys in the given order, plain decimals, compact, on one line.
///
/// Letters that act without being seen (C0, DEL, C1, bidi controls, tags, line separators) are escapes, which loses
/// nothing and keeps a terminal safe; zero-width joiners stay, emoji and Persian need them.
indirect enum JSONText {
  case null
  case bool(Bool)
  /// Digits that are valid JSON already.
  case number(String)
  case string(String)
  case array([JSONText])
  case object([(String, JSONText)])

  var text: String {
    var output = ""
    write(to: &output)
    return output
  }

  /// One a line.
  static func lines(_ values: some Sequence<JSONText>) -> String {
    values.reduce(into: "") { output, value in
      value.write(to: &output)
      output += "\n"
    }
  }

  private func write(to output: inout String) {
    switch self {
    case .null: output += "null"
    case .bool(let flag): output += flag ? "true" : "false"
    case .number(let digits): output += digits
    case .string(let text): JSONText.quote(text, to: &output)
    case .array(let items):
      output += "["
      for (index, item) in items.enumerated() {
        if index > 0 { output += "," }
        item.write(to: &output)
      }
      output += "]"
    case .object(let entries):
      output += "{"
      for (index, entry) in entries.enumerated() {
        if index > 0 { output += "," }
        JSONText.quote(entry.0, to: &output)
        output += ":"
        entry.1.write(to: &output)
      }
      output += "}"
    }
  }

  private static func quote(_ text: String, to output: inout String) {
    // Nearly every text goes as it is, and whole.
    guard !text.utf8.allSatisfy(isPlain), text.unicodeScalars.contains(where: mustBeEscaped) else {
      output += "\""
      output += text
      output += "\""
      return
    }
    output += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\t": output += "\\t"
      case " "..."~": output.unicodeScalars.append(scalar)
      default:
        if acts(scalar) { escape(scalar, to: &output) } else { output.unicodeScalars.append(scalar) }
      }
    }
    output += "\""
  }

  /// A JSON text that was written elsewhere, with escapes for what acts without being seen: only strings can hold that.
  static func calm(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: acts) else { return text }
    var output = ""
    for scalar in text.unicodeScalars {
      if acts(scalar) { escape(scalar, to: &output) } else { output.unicodeScalars.append(scalar) }
    }
    return output
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (UInt8(ascii: " ")...UInt8(ascii: "~")).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\"", "\\": true
    case " "..."~": false
    default: acts(scalar)
    }
  }

  /// Joiners and the mark that makes an emoji are kept: a name without them is another name.
  private static func acts(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200C, 0x200D, 0xFE0F: false
    default: !scalar.isVisible
    }
  }

  private static func escape(_ scalar: Unicode.Scalar, to output: inout String) {
    for unit in String(scalar).utf16 {
      let digits = String(unit, radix: 16)
      output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}
