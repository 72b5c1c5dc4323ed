import Foundation

extension JSON {
  /// Minified, members in their order; non-ASCII text stays as it is, control characters are escaped.
  package var text: String {
    switch self {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .number(let number): number.literal
    case .string(let text): "\"\(JSON.escaped(text))\""
    case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
    case .object(let object):
      "{" + object.keys.map { "\"\(JSON.escaped($0))\":\((object[$0] ?? .null).text)" }.joined(separator: ",") + "}"
    case .odd(let word): "\"\(JSON.escaped(word))\""
    }
  }

  /// A text as it stands between the quotes.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}":
        let hex = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
