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
    case .listing(let listing): OutputJSON(listing).text + "\n"
    case .product(let product, let fields): OutputJSON(product, fields: fields).text + "\n"
    case .rows(let table): OutputJSON(table).text + "\n"
    case .drawing(let drawing): JSONWriter.escapingInvisibles(in: drawing.json) + "\n"
    case .message(let message): OutputJSON(message).text + "\n"
    case .text(let wording): OutputJSON.string(wording[options.language].plain).text + "\n"
    case .receipt(let receipt): value(receipt.whole, options)
    case .group(let reports):
      "[" + reports.map { value($0, options).trimmingLineEnd }.joined(separator: ",\n ") + "]\n"
    case .empty: ""
    }
  }
}

extension String {
  var trimmingLineEnd: Substring { last == "\n" ? dropLast() : self[...] }
}
