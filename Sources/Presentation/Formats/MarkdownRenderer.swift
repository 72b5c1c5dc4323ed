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
