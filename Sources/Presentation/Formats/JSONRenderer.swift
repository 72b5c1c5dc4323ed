import Catalog
import Text

/// Renders one JSON value per report: an object for a single thing, an object with `products` for a listing, an array
/// for several reports.
///
/// The value is indented on a terminal and otherwise on one line.
package struct JSONRenderer: Renderer {
  package init() {}

  package func render(_ report: Report, _ options: RenderOptions) -> String {
    let json = value(report, options)
    return options.isTerminal && !json.isEmpty ? IndentedJSON.text(json, options) : json
  }

  private func value(_ report: Report, _ options: RenderOptions) -> String {
    switch report {
    case .listing(let listing): JSONText(listing).text + "\n"
    case .product(let product, let fields): JSONText(product, fields: fields).text + "\n"
    case .rows(let table): JSONText(table).text + "\n"
    case .drawing(let drawing): JSONText.calm(drawing.json) + "\n"
    case .message(let message): JSONText(message).text + "\n"
    case .text(let wording): JSONText.string(wording[options.tongue].plain).text + "\n"
    case .written(let receipt): value(receipt.whole, options)
    case .several(let reports):
      "[" + reports.map { value($0, options).trimmingLineEnd }.joined(separator: ",\n ") + "]\n"
    case .nothing: ""
    }
  }
}

extension String {
  fileprivate var trimmingLineEnd: Substring { last == "\n" ? dropLast() : self[...] }
}

/// Renders one JSON object per line: a product or a row.
package struct JSONLinesRenderer: Renderer {
  package init() {}

  package func render(_ report: Report, _ options: RenderOptions) -> String {
    switch report {
    case .listing(let listing):
      JSONText.lines(listing.page.products.lazy.map { JSONText($0, fields: listing.columns) })
    case .rows(let table): JSONText.lines(JSONText.rows(of: table))
    case .written(let receipt): render(receipt.whole, options)
    case .several(let reports): reports.map { render($0, options) }.joined()
    case .drawing(let drawing): JSONText.lines(JSONText.rows(of: drawing.table))
    case .product, .message, .text, .nothing: JSONRenderer().render(report, options.onOneLine)
    }
  }
}
