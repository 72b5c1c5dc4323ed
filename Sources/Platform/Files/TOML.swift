import Text

/// A value of the subset of TOML that the program's files use: tables with dotted and quoted keys, strings in both
/// kinds of quotes, integers, decimal numbers, Booleans, arrays and comments.
///
/// Arrays of tables (`[[…]]`) and dates are rejected.
///
/// The parser is our own because the library crashed on files that are not TOML.
package enum TOML: Hashable, Sendable {
  case string(String)
  case integer(Int)
  /// A decimal number as it is written, because a price is never a binary fraction.
  case decimal(String)
  case boolean(Bool)
  case array([TOML])
  case table([String: TOML])

  /// A syntax error with its line and its column, both from 1.
  ///
  /// The reason quotes nothing of the file, which may contain secrets.
  package struct SyntaxError: Error, Hashable, Sendable {
    package var line: Int
    package var column: Int
    package var reason: LocalizedText

    package var position: TOMLDocument.Position { TOMLDocument.Position(line: line, column: column) }
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
    case .decimal(let number): number
    case .boolean(let flag): String(flag)
    case .array(let elements): "[" + elements.map(\.literal).joined(separator: ", ") + "]"
    case .table: "{}"
    }
  }

  /// Returns the name of a value as it is written in a file, in quotes if it needs them.
  package static func key(_ name: String) -> String {
    !name.isEmpty && name.utf8.allSatisfy(TOMLParser.isBare) ? name : quoted(name)
  }

  /// Returns the text as a basic string on one line.
  package static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      default: append(scalar, to: &result)
      }
    }
    return result + "\""
  }

  /// Returns the text as a basic string over several lines, each line of the text on a line of its own.
  package static func multiline(_ text: String) -> String {
    var result = "\"\"\"\n"
    var wasQuote = false
    let scalars = text.unicodeScalars
    var isAtLineStart = true
    for index in scalars.indices {
      let scalar = scalars[index]
      // Neither three quotes in a row nor one before the closing quotes, and no line that looks like the conflict marker
      // of a version control system.
      let isLast = scalars.index(after: index) == scalars.endIndex
      let isMarker = isAtLineStart && ["<<<<<<<", "=======", ">>>>>>>"].contains(String(scalars[index...].prefix(7)))
      isAtLineStart = scalar == "\n"
      switch scalar {
      case "\"" where wasQuote || isLast:
        result += "\\\""
        wasQuote = false
        continue
      case "\n", "\"": result.unicodeScalars.append(scalar)
      case _ where isMarker: result += "\\u" + hexadecimal(scalar)
      default: append(scalar, to: &result)
      }
      wasQuote = scalar == "\""
    }
    return result + "\"\"\""
  }

  /// Appends a scalar, escaped if it is a control character, invisible, or changes the direction of the text, because
  /// the file may be shown on a terminal.
  private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
    switch scalar {
    case "\\": text += "\\\\"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{61C}", "\u{200B}", "\u{200E}", "\u{200F}", "\u{2028}"..."\u{202E}",
      "\u{2060}"..."\u{2069}", "\u{FEFF}":
      text += "\\u" + hexadecimal(scalar)
    default: text.unicodeScalars.append(scalar)
    }
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}

/// A parsed TOML file that knows the line and the position of each of its values.
package struct TOMLDocument {
  /// The offsets in bytes at which the name of a value and the value begin.
  struct Offsets {
    let name: Int
    let value: Int
  }

  /// A line and a column, both from 1; a column is a character.
  package struct Position: Hashable, Sendable, CustomStringConvertible {
    package var line: Int
    package var column: Int

    package var description: String { "\(line):\(column)" }
  }

  package let table: [String: TOML]
  private let bytes: [UInt8]
  private let lines: [[String]: Int]
  private let ranges: [[String]: Range<Int>]
  private let offsets: [[String]: Offsets]

  /// Parses a file.
  ///
  /// - Throws: `TOML.SyntaxError`.
  package init(parsing text: String) throws(TOML.SyntaxError) {
    var parser = TOMLParser(text)
    table = try parser.document()
    lines = parser.lines
    ranges = parser.ranges
    offsets = parser.offsets
    bytes = parser.bytes
  }

  /// Returns the position of a value by the names of the tables around it and its own; an element of an array is named
  /// by its index.
  ///
  /// A value that isn't in the file has the position of the innermost table around it that is.
  package func position(of path: [String]) -> Position { position(path, \.value) }

  /// Returns the position of the name of a value, otherwise as ``position(of:)`` does.
  package func position(ofName path: [String]) -> Position { position(path, \.name) }

  private func position(_ path: [String], _ part: KeyPath<Offsets, Int>) -> Position {
    for count in stride(from: path.count, to: 0, by: -1) {
      let outer = Array(path.prefix(count))
      if let found = offsets[outer] { return position(atByte: found[keyPath: part]) }
      // A table that only dotted names or the names of inner tables define.
      if let inner = offsets.filter({ $0.key.starts(with: outer) }).values.map(\.name).min() {
        return position(atByte: inner)
      }
    }
    return Position(line: 1, column: 1)
  }

  private func position(atByte offset: Int) -> Position {
    Position(
      line: bytes.prefix(offset).count { $0 == 10 } + 1, column: TOMLDocument.column(atByte: offset, in: bytes))
  }

  /// Returns the column of an offset in its line.
  static func column(atByte offset: Int, in bytes: [UInt8]) -> Int {
    let before = bytes.prefix(offset)
    let start = before.lastIndex(of: 10).map { $0 + 1 } ?? 0
    return String(decoding: before[start...], as: UTF8.self).count + 1
  }

  /// Returns the line of a value, from 1, or `nil` if there is none.
  package func line(of key: String) -> Int? { lines[[key]] }

  /// Returns the position of a value in the UTF-8 bytes of the file, or `nil` if there is none.
  package func range(of key: String) -> Range<Int>? { ranges[[key]] }
}

/// A number as TOML 1.0 writes it in decimal: `[+-]`, digits without leading zeros, a fraction, an exponent; underscores
/// between digits.
struct TOMLNumber {
  /// The text without underscores.
  private(set) var digits = ""
  /// Indicates that there is neither a fraction nor an exponent.
  private(set) var isInteger = true
  private var rest: ArraySlice<UInt8>

  /// Returns `nil` for a text that is not such a number.
  init?(_ text: ArraySlice<UInt8>) {
    rest = text
    takeSign()
    let hasLeadingZero = rest.first == UInt8(ascii: "0")
    let start = rest.count
    guard takeDigits(), !hasLeadingZero || start - rest.count == 1 else { return nil }
    if take(UInt8(ascii: ".")) {
      isInteger = false
      guard takeDigits() else { return nil }
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isInteger = false
      takeSign()
      guard takeDigits() else { return nil }
    }
    guard rest.isEmpty else { return nil }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard rest.first == byte else { return false }
    digits.unicodeScalars.append(Unicode.Scalar(byte))
    rest.removeFirst()
    return true
  }

  private mutating func takeSign() {
    if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
  }

  /// Takes digits with single underscores between them, and returns false if there is none.
  private mutating func takeDigits() -> Bool {
    var isAfterDigit = false
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        isAfterDigit = take(byte)
      case UInt8(ascii: "_") where isAfterDigit:
        rest.removeFirst()
        isAfterDigit = false
      default: return isAfterDigit
      }
    }
    return isAfterDigit
  }
}
