import Text

/// A value of the subset of TOML that the program's files use: tables with dotted and quoted keys, strings in both
/// kinds of quotes, integers, decimal numbers, Booleans and comments.
///
/// Arrays and dates are rejected.
///
/// The parser is our own because the library crashed on files that are not TOML.
package enum TOML: Hashable, Sendable {
  case string(String)
  case integer(Int)
  case float(Double)
  case boolean(Bool)
  case table([String: TOML])

  /// A syntax error with its line, from 1.
  ///
  /// The reason quotes nothing of the file, which may contain secrets.
  package struct SyntaxError: Error, Hashable, Sendable {
    package var line: Int
    package var reason: LocalizedText
  }

  /// Parses a file.
  ///
  /// - Throws: `SyntaxError`.
  package init(parsing text: String) throws(SyntaxError) {
    var parser = TOMLParser(text)
    self = .table(try parser.document())
  }

  package var table: [String: TOML]? { if case .table(let table) = self { table } else { nil } }

  /// Returns the text of a file with this table: plain values first, then the tables in the order of their names.
  package static func serialized(_ root: [String: TOML]) -> String {
    var lines: [String] = []
    write(root, at: [], into: &lines)
    return lines.map { $0 + "\n" }.joined()
  }

  private static func write(_ table: [String: TOML], at path: [String], into lines: inout [String]) {
    let members = table.sorted { $0.key < $1.key }
    let plain = members.filter { $0.value.table == nil }
    // A table that contains only tables needs no header.
    if !path.isEmpty, !plain.isEmpty || table.isEmpty {
      if !lines.isEmpty { lines.append("") }
      lines.append("[" + path.map(key).joined(separator: ".") + "]")
    }
    for (name, value) in plain { lines.append(key(name) + " = " + value.literal) }
    for (name, value) in members {
      if let inner = value.table { write(inner, at: path + [name], into: &lines) }
    }
  }

  private var literal: String {
    switch self {
    case .string(let text): TOML.quoted(text)
    case .integer(let number): String(number)
    case .float(let number): number.description
    case .boolean(let flag): String(flag)
    case .table: "{}"
    }
  }

  private static func key(_ name: String) -> String {
    !name.isEmpty && name.utf8.allSatisfy(TOMLParser.isBare) ? name : quoted(name)
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{0}"..<" ", "\u{7F}":
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
