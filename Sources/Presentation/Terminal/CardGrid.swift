import Catalog

/// Products as small cards side by side, as many as the width holds.
enum CardGrid {
  static func lines(_ products: [Product], _ options: RenderOptions) -> [String] {
    let width = options.lineWidth ?? 80
    let across = max(1, (width + 1) / 29)
    let inner = max(1, min(width, (width + 1) / across - 1) - 4)
    var lines: [String] = []
    var start = 0
    while start < products.count {
      let cards = products[start..<min(start + across, products.count)].map { card($0, inner, options) }
      for row in 0..<6 { lines.append(cards.map { $0[row] }.joined(separator: " ")) }
      start += across
    }
    return lines.map { options.cells.fit($0, to: width, ellipsis: options.ellipsis) }
  }

  private static func card(_ product: Product, _ inner: Int, _ options: RenderOptions) -> [String] {
    let (side, line) = options.drawsPlain ? ("|", "-") : ("│", "─")
    let corners = options.drawsPlain ? ["+", "+", "+", "+"] : ["┌", "┐", "└", "┘"]
    let rule = String(repeating: line, count: inner + 2)
    let stock = Field.stock.title[options.tongue].plain + " "
    let count = PeopleCell.text(product, .stock, options)
    let price = product.sale == nil ? Field.price : .sale
    let body = [
      "#\(product.id)", PeopleCell.words(product.name), PeopleCell.text(product, price, options) + share(product),
      product.stock == 0 ? count : stock + count,
    ]
    let rows = body.map { side + " " + options.cells.padded($0, to: inner, ellipsis: options.ellipsis) + " " + side }
    return [corners[0] + rule + corners[1]] + rows + [corners[2] + rule + corners[3]]
  }

  /// How much is taken off, where something is.
  private static func share(_ product: Product) -> String {
    guard let price = product.price, let sale = product.sale else { return "" }
    return HumanNumber.percent(from: price, to: sale).map { "  " + $0 } ?? ""
  }
}
