import Text

/// The strict subset of TOML that our own files are written in: tables with dotted and quoted keys, texts in both kinds
/// of quotes, whole and decimal numbers, true and false, comments. Lists and dates are refused, whoever wrote them.
///
/// Read by hand because the library ended the process on files that are not TOML.
package enum TOML: Hashable, Sendable {
  case text(String)
  case integer(Int)
  case number(Double)
  case flag(Bool)
  case table([String: TOML])

  /// What stands in the way of reading, and on which line, from 1. The words quote nothing of the file: it may hold a
  /// secret.
  package struct Fault: Error, Hashable, Sendable {
    package var line: Int
    package var reason: LocalizedText
  }

  /// Reads a whole file.
  ///
  /// - Throws: `Fault` with the line, from 1.
  package init(parsing text: String) throws(Fault) {
    var parser = TOMLParser(text)
    self = .table(try parser.document())
  }

  package var table: [String: TOML]? { if case .table(let table) = self { table } else { nil } }

  /// The file that reads as this table: plain members first, then a table after the other, in the order of their names.
  package static func file(_ root: [String: TOML]) -> String {
    var lines: [String] = []
    write(root, at: [], into: &lines)
    return lines.map { $0 + "\n" }.joined()
  }

  private static func write(_ table: [String: TOML], at path: [String], into lines: inout [String]) {
    let members = table.sorted { $0.key < $1.key }
    let plain = members.filter { $0.value.table == nil }
    // A table that only holds others needs no line of its own.
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
    case .text(let text): TOML.quoted(text)
    case .integer(let number): String(number)
    case .number(let number): number.description
    case .flag(let flag): String(flag)
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
