import Text

/// RFC 4180 but for the line ending, which the options say: a header row, quotes doubled; what a spreadsheet would run is guarded with `'`.
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

/// One row of RFC 4180: cells between commas, quotes where they are needed, a line ending.
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
  /// Words that a spreadsheet would run are guarded; numbers and times never are.
  var guarded: String { isWords ? FormulaGuard.guarded(text) : text }
}

/// Keeps a spreadsheet from running a cell as a formula: such text gets a leading `'`, and reading takes exactly it off.
///
/// Text that already begins with quotes or spaces before the sign is guarded too, so that reading back is the identity.
package enum FormulaGuard {
  /// The text as a spreadsheet shows it instead of reckoning with it: a `'` goes before what begins like a formula.
  package static func guarded(_ text: String) -> String { isFormula(text.unicodeScalars) ? "'" + text : text }

  /// Takes back what `guarded` put in front.
  package static func unguarded(_ text: String) -> String {
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

/// Cells between tabs, one row a line: tab, line end and backslash inside a cell are `\t`, `\n`, `\r`, `\\`.
package struct TSVRenderer: Renderer {
  package init() {}

  package func render(_ report: Report, _ options: RenderOptions) -> String {
    FlatRendering.render(report, options, keepsTabs: true) { table in
      table.rows.reduce(into: TSVLine.text(table.keys)) { $0 += TSVLine.text($1.map { TSVLine.escaped($0.text) }) }
    }
  }
}

/// One row of TSV, its line end behind it.
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

/// A table as GitHub and most wikis read it; letters that mean something there are escaped.
package struct MarkdownRenderer: Renderer {
  package init() {}

  package func render(_ report: Report, _ options: RenderOptions) -> String {
    FlatRendering.render(report, options) { table in
      table.rows.reduce(into: MarkdownLine.head(table.keys, numbers: table.numbers)) { $0 += MarkdownLine.text($1) }
    }
  }
}

/// One row of a table in Markdown, its line end behind it.
enum MarkdownLine {
  static func head(_ keys: [String], numbers: [Bool]) -> String {
    line(keys.map(escaped)) + line(numbers.map { $0 ? "---:" : "---" })
  }

  static func text(_ cells: [FlatCell]) -> String { line(cells.map { $0.isWords ? escaped($0.text) : $0.text }) }

  private static func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }

  private static func escaped(_ text: String) -> String {
    var output = ""
    for scalar in Sanitizer.clean(text, .block).unicodeScalars {
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
