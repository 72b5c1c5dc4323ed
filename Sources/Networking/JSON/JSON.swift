import Foundation

/// A JSON text as it was written: numbers keep their digits, objects their order, so that no value is rounded or lost on
/// the way and one bad value spoils itself alone.
package indirect enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSON])
  case object(JSONObject)
  /// A bare word that is no JSON (`NaN`, `0x1F`, `01`): an error of this value only.
  case odd(String)

  /// A whole number.
  package static func int(_ value: Int) -> JSON { .number(JSONNumber(value)) }

  /// An object with its members in this order.
  package static func object(_ members: [(String, JSON)]) -> JSON { .object(JSONObject(members)) }

  /// The object; nil for anything else.
  package var object: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }

  /// The elements; nil for anything else.
  package var array: [JSON]? {
    if case .array(let elements) = self { elements } else { nil }
  }
}

extension JSON {
  /// Reads a whole text, or throws `NotJSON`; never traps, whatever a server sends.
  ///
  /// Lenient where a strict reader would lose a whole page for one value: bytes that are not UTF-8 and halves of
  /// surrogates become U+FFFD, raw control characters stay, odd bare words become `.odd`.
  ///
  /// - Throws: `NotJSON` with the place from which on it is none.
  package init(parsing data: Data) throws(NotJSON) {
    var parser = JSONParser(bytes: Array(data))
    self = try parser.document()
  }
}

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

extension JSON {
  /// The same JSON text with every letter that cannot be seen as `\uXXXX`: joiners, direction marks, private letters,
  /// tags.
  ///
  /// Outside strings such letters are no JSON; there they are left alone, and are wrong either way.
  package static func unseenEscaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .format, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
        _ where (0xE0000...0xE0FFF).contains(scalar.value):
        for unit in String(scalar).utf16 {
          let hex = String(unit, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        }
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// The text is no JSON, or is nested deeper than anyone's answer.
package struct NotJSON: Error, Hashable, Sendable {
  /// Where it stopped making sense, in bytes from the start.
  package var offset: Int
  package var isTooDeep: Bool

  package init(offset: Int, isTooDeep: Bool = false) {
    self.offset = offset
    self.isTooDeep = isTooDeep
  }
}
