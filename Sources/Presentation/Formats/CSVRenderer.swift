/// RFC 4180: a header row, lines ended by CR LF, quotes doubled; what a spreadsheet would run is guarded with `'`.
package struct CSVRenderer: Renderer {
  package init() {}

  package func render(_ report: Report, _ options: RenderOptions) -> String {
    FlatRendering.render(report, options) { table in
      var output = line(table.keys)
      for row in table.rows {
        output += line(row.map { $0.isWords ? FormulaGuard.guarded($0.text) : $0.text })
      }
      return output
    }
  }

  private func line(_ cells: [String]) -> String { cells.map(quoted).joined(separator: ",") + "\r\n" }

  private func quoted(_ text: String) -> String {
    let needsQuotes = text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
    guard needsQuotes else { return text }
    var output = "\""
    for scalar in text.unicodeScalars {
      output.unicodeScalars.append(scalar)
      if scalar == "\"" { output.unicodeScalars.append(scalar) }
    }
    return output + "\""
  }
}
