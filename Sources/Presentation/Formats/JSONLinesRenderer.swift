import Catalog

/// One JSON object a line: a product, a row.
package struct JSONLinesRenderer: Renderer {
  package init() {}

  package func render(_ report: Report, _ options: RenderOptions) -> String {
    switch report {
    case .listing(let listing):
      listing.page.products.map { JSONText($0, fields: listing.columns).text + "\n" }.joined()
    case .rows(let table): JSONText.rows(of: table).map { $0.text + "\n" }.joined()
    case .several(let reports): reports.map { render($0, options) }.joined()
    case .drawing(let drawing): JSONText.rows(of: drawing.table).map { $0.text + "\n" }.joined()
    case .product, .message, .text, .nothing: JSONRenderer().render(report, options)
    }
  }
}
