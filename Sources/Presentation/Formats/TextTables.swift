import Text

/// Renders CSV according to RFC 4180, with the line ending of the options: a header row, quotes doubled.
///
/// Cells that a spreadsheet would evaluate are guarded with `'`.
package struct CSVRenderer: Renderer {
  package init() {}

  package func render(_ report: Report, _ options: RenderOptions) -> String {
    FlatRendering.render(report, options) { table in
      table.rows.reduce(into: CSVLine.text(table.keys, options.csvLineEnding)) {
        CSVLine.write($1.lazy.map(\.guarded), options.csvLineEnding, to: &$0)
      }
    }
  }
}

/// A row of CSV (RFC 4180): cells separated by commas, quoted if necessary, and a line ending.
enum CSVLine {
  static func text(_ cells: [String], _ ending: LineEnding) -> String {
    var text = ""
    write(cells, ending, to: &text)
    return text
  }

  static func write(_ cells: some Sequence<String>, _ ending: LineEnding, to output: inout String) {
    var isFirst = true
    for cell in cells {
      if !isFirst { output += "," }
      isFirst = false
      write(cell, to: &output)
    }
    output += ending.rawValue
  }

  static func cell(_ text: String) -> String {
    var output = ""
    write(text, to: &output)
    return output
  }

  private static func write(_ text: String, to output: inout String) {
    guard text.utf8.contains(where: { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }) else {
      output += text
      return
    }
    output += "\""
    for scalar in text.unicodeScalars {
      output.unicodeScalars.append(scalar)
      if scalar == "\"" { output.unicodeScalars.append(scalar) }
    }
    output += "\""
  }
}

extension FlatCell {
  /// The text of the cell, guarded if a spreadsheet would evaluate it.
  ///
  /// Numbers and times are never guarded.
  var guarded: String { isText ? CSVInjection.escape(text) : text }
}

/// Prevents spreadsheets from evaluating a cell as a formula: such text gets a leading `'`, which reading removes.
///
/// Text that begins with quotes or spaces before the formula character is guarded too, so that writing and reading
/// returns the original.
package enum CSVInjection {
  /// Returns the text with a leading `'` if it begins like a formula.
  package static func escape(_ text: String) -> String { isFormula(text.unicodeScalars) ? "'" + text : text }

  /// Removes the `'` that `escape` added.
  package static func unescape(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.first == "'", isFormula(scalars.dropFirst()) else { return text }
    return String(String.UnicodeScalarView(scalars.dropFirst()))
  }

  private static func isFormula(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
    for scalar in scalars {
      switch scalar {
      case "'", "\"", " ": continue
      case "=", "+", "-", "@", "\t", "\r": return true
      default: return false
      }
    }
    return false
  }
}

/// Renders tab-separated values, one row per line.
///
/// A tab, newline or backslash inside a cell is `\t`, `\n`, `\r`, `\\`.
package struct TSVRenderer: Renderer {
  package init() {}

  package func render(_ report: Report, _ options: RenderOptions) -> String {
    FlatRendering.render(report, options, keepsTabs: true) { table in
      table.rows.reduce(into: TSVLine.text(table.keys)) { $0 += TSVLine.text($1.map { TSVLine.escaped($0.text) }) }
    }
  }
}

/// A row of TSV with its newline.
enum TSVLine {
  static func text(_ cells: [String]) -> String { cells.joined(separator: "\t") + "\n" }

  static func escaped(_ text: String) -> String {
    var output = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\t": output += "\\t"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\\": output += "\\\\"
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }
}

/// Renders a Markdown table as on GitHub.
///
/// Characters with a meaning in Markdown are escaped.
package struct MarkdownRenderer: Renderer {
  package init() {}

  package func render(_ report: Report, _ options: RenderOptions) -> String {
    FlatRendering.render(report, options) { table in
      table.rows.reduce(into: MarkdownLine.head(table.keys, numbers: table.numbers)) { $0 += MarkdownLine.text($1) }
    }
  }
}

/// A row of a Markdown table with its newline.
enum MarkdownLine {
  static func head(_ keys: [String], numbers: [Bool]) -> String {
    line(keys.map(escaped)) + line(numbers.map { $0 ? "---:" : "---" })
  }

  static func text(_ cells: [FlatCell]) -> String { line(cells.map { $0.isText ? escaped($0.text) : $0.text }) }

  private static func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }

  private static func escaped(_ text: String) -> String {
    var output = ""
    for scalar in Sanitizer.sanitized(text, .keep).unicodeScalars {
      switch scalar {
      case "\n": output += "<br>"
      case "<": output += "&lt;"
      case "&": output += "&amp;"
      case "\\", "|", "`", "*", "_", "[", "]", "~": output += "\\" + String(scalar)
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }
}
