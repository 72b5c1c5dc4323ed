/// Cells between tabs, one row a line: tab, line end and backslash inside a cell are `\t`, `\n`, `\r`, `\\`.
package struct TSVRenderer: Renderer {
  package init() {}

  package func render(_ report: Report, _ options: RenderOptions) -> String {
    FlatRendering.render(report, options, keepsTabs: true) { table in
      let rows = [table.keys] + table.rows.map { $0.map { escaped($0.text) } }
      return rows.map { $0.joined(separator: "\t") + "\n" }.joined()
    }
  }

  private func escaped(_ text: String) -> String {
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
