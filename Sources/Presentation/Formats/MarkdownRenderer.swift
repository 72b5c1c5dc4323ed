import Text

/// A table as GitHub and most wikis read it; letters that mean something there are escaped.
package struct MarkdownRenderer: Renderer {
  package init() {}

  package func render(_ report: Report, _ options: RenderOptions) -> String {
    FlatRendering.render(report, options) { table in
      let rules = table.numbers.map { $0 ? "---:" : "---" }
      let rows = table.rows.map { line($0.map { $0.isWords ? escaped($0.text) : $0.text }) }
      return line(table.keys.map(escaped)) + line(rules) + rows.joined()
    }
  }

  private func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }

  private func escaped(_ text: String) -> String {
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
