import Catalog

/// Renders one JSON object per line: a product or a row.
package struct JSONLinesRenderer: Renderer {
  package init() {}

  package func render(_ report: Report, _ options: RenderOptions) -> String {
    switch report {
    case .listing(let listing):
      OutputJSON.lines(listing.page.products.lazy.map { OutputJSON($0, fields: listing.columns) })
    case .rows(let table): OutputJSON.lines(OutputJSON.rows(of: table))
    case .receipt(let receipt): render(receipt.whole, options)
    case .group(let reports): reports.map { render($0, options) }.joined()
    case .drawing(let drawing): OutputJSON.lines(OutputJSON.rows(of: drawing.table))
    case .product, .message, .text, .empty: JSONRenderer().render(report, options.onOneLine)
    }
  }
}
