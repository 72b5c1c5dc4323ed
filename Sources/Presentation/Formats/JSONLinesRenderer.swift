import Catalog

/// One JSON object a line: a product, a row.
package struct JSONLinesRenderer: Renderer {
  package init() {}

  package func render(_ report: Report, _ options: RenderOptions) -> String {
    switch report {
    case .listing(let listing):
      JSONText.lines(listing.page.products.lazy.map { JSONText($0, fields: listing.columns) })
    case .rows(let table): JSONText.lines(JSONText.rows(of: table))
    case .several(let reports): reports.map { render($0, options) }.joined()
    case .drawing(let drawing): JSONText.lines(JSONText.rows(of: drawing.table))
    case .product, .message, .text, .nothing: JSONRenderer().render(report, options)
    }
  }
}
