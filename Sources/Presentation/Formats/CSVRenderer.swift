/// RFC 4180: a header row, lines ended by CR LF, quotes doubled; what a spreadsheet would run is guarded with `'`.
package struct CSVRenderer: Renderer {
  package init() {}

  package func render(_ report: Report, _ options: RenderOptions) -> String {
    FlatRendering.render(report, options) { table in
      table.rows.reduce(into: CSVLine.text(table.keys)) { $0 += CSVLine.text($1.map(\.guarded)) }
    }
  }
}
