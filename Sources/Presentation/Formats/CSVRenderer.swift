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
