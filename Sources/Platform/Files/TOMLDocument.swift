import Text

/// A parsed TOML file that knows the line and the position of each of its values.
package struct TOMLDocument {
  package let table: [String: TOML]
  private let lines: [[String]: Int]
  private let ranges: [[String]: Range<Int>]

  /// Parses a file.
  ///
  /// - Throws: `TOML.SyntaxError`.
  package init(parsing text: String) throws(TOML.SyntaxError) {
    var parser = TOMLParser(text)
    table = try parser.document()
    lines = parser.lines
    ranges = parser.ranges
  }

  /// Returns the line of a value, from 1, or `nil` if there is none.
  package func line(of key: String) -> Int? { lines[[key]] }

  /// Returns the position of a value in the UTF-8 bytes of the file, or `nil` if there is none.
  package func range(of key: String) -> Range<Int>? { ranges[[key]] }
}
