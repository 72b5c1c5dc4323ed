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
