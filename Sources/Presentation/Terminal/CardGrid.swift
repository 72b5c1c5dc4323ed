import Catalog
import Images
import Text

/// Products as small cards side by side, as many as fit, with their pictures if there are any.
enum CardGrid {
  static func lines(_ listing: Listing, _ options: RenderOptions) -> [String] {
    let products = listing.page.products
    let width = options.lineWidth ?? 80
    let across = max(1, (width + 1) / 29)
    let inner = max(1, min(width, (width + 1) / across - 1) - 4)
    let hasPictures = !listing.pictures.isEmpty && inner >= Listing.pictureBox.columns
    var lines: [String] = []
    var start = 0
    while start < products.count {
      let cards = (start..<min(start + across, products.count)).map { place in
        let product = products[place]
        let drawn = hasPictures ? picture(listing.pictures[product.id], inner, options) : []
        return card(product, row: place + 1, drawn, inner, options)
      }
      for row in cards[0].indices { lines.append(cards.map { $0[row] }.joined(separator: " ")) }
      start += across
    }
    // Styles take no cells: only lines without styles can be too wide, and pictures are shown only if they fit.
    return lines.map {
      $0.contains("\u{1B}") ? $0 : options.cells.truncated($0, to: width, ellipsis: options.ellipsis)
    }
  }

  private static func card(
    _ product: Product, row: Int, _ picture: [String], _ inner: Int, _ options: RenderOptions
  ) -> [String] {
    let (side, line) = options.usesASCIILines ? ("|", "-") : ("│", "─")
    let corners = options.usesASCIILines ? ["+", "+", "+", "+"] : ["┌", "┐", "└", "┘"]
    let rule = String(repeating: line, count: inner + 2)
    let stock = ProductField.stock.title[options.language].plain + " "
    let count = CellText.text(product, .stock, options)
    let price = product.sale == nil ? ProductField.price : .sale
    let body = [
      "@\(row)  #\(product.id)", CellText.words(product.name),
      CellText.text(product, price, options) + share(product),
      product.stock == 0 ? count : stock + count,
    ]
    let rows = picture + body.map { options.cells.aligned($0, to: inner, ellipsis: options.ellipsis) }
    return [corners[0] + rule + corners[1]] + rows.map { side + " " + $0 + " " + side } + [
      corners[2] + rule + corners[3]
    ]
  }

  /// Returns the rows with the picture centered; without a picture they are empty.
  private static func picture(_ picture: TerminalPicture?, _ inner: Int, _ options: RenderOptions) -> [String] {
    let box = Listing.pictureBox
    let lines = picture?.lines ?? []
    let (above, left) = ((box.rows - lines.count) / 2, (inner - (picture?.columns ?? 0)) / 2)
    return (0..<box.rows).map { row in
      guard let picture, lines.indices.contains(row - above) else { return blank(inner) }
      return blank(left) + lines[row - above] + blank(inner - left - picture.columns)
    }
  }

  private static func blank(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

  /// Returns the relative discount, or "".
  private static func share(_ product: Product) -> String {
    guard let price = product.price, let sale = product.sale else { return "" }
    return NumberFormatting.percent(from: price, to: sale).map { "  " + $0 } ?? ""
  }
}
