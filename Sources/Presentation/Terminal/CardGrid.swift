import Catalog
import Images
import Text

/// Products as small cards side by side, as many as fit, with their pictures if there are any.
enum CardGrid {
  /// The minimum width of a card with the gap after it.
  private static let minimumCardWidth = 29
  /// The width of the two sides of a card, each with a space.
  private static let sideWidth = 4

  static func lines(_ listing: Listing, _ options: RenderOptions) -> [String] {
    let products = listing.page.products
    let width = options.lineWidth ?? 80
    let cardsPerRow = max(1, (width + 1) / minimumCardWidth)
    let innerWidth = max(1, min(width, (width + 1) / cardsPerRow - 1) - sideWidth)
    let hasPictures = !listing.pictures.isEmpty && innerWidth >= Listing.pictureBox.columns
    var lines: [String] = []
    var start = 0
    while start < products.count {
      let cards = (start..<min(start + cardsPerRow, products.count)).map { index in
        let product = products[index]
        let drawn = hasPictures ? picture(listing.pictures[product.id], width: innerWidth, options: options) : []
        return card(product, row: index + 1, picture: drawn, width: innerWidth, options: options)
      }
      for row in cards[0].indices { lines.append(cards.map { $0[row] }.joined(separator: " ")) }
      start += cardsPerRow
    }
    // Styles take no cells: only lines without styles can be too wide, and pictures are shown only if they fit.
    return lines.map {
      $0.contains("\u{1B}") ? $0 : options.cells.truncated($0, to: width, ellipsis: options.ellipsis)
    }
  }

  private static func card(
    _ product: Product, row: Int, picture: [String], width innerWidth: Int, options: RenderOptions
  ) -> [String] {
    let (side, line) = options.usesASCIILines ? ("|", "-") : ("│", "─")
    let corners = options.usesASCIILines ? ["+", "+", "+", "+"] : ["┌", "┐", "└", "┘"]
    let rule = String(repeating: line, count: innerWidth + 2)
    let stock = ProductField.stock.title[options.language].plain + " "
    let count = CellText.text(product, field: .stock, options: options)
    let price = product.sale == nil ? ProductField.price : .sale
    let body = [
      "@\(row)  #\(product.id)", CellText.words(product.name),
      CellText.text(product, field: price, options: options) + share(product),
      product.stock == 0 ? count : stock + count,
    ]
    let rows = picture + body.map { options.cells.aligned($0, to: innerWidth, ellipsis: options.ellipsis) }
    return [corners[0] + rule + corners[1]] + rows.map { side + " " + $0 + " " + side } + [
      corners[2] + rule + corners[3]
    ]
  }

  /// Returns the rows with the picture centered; without a picture they are empty.
  private static func picture(_ picture: TerminalPicture?, width innerWidth: Int, options: RenderOptions) -> [String] {
    let box = Listing.pictureBox
    let lines = picture?.lines ?? []
    let (above, left) = ((box.rows - lines.count) / 2, (innerWidth - (picture?.columns ?? 0)) / 2)
    return (0..<box.rows).map { row in
      guard let picture, lines.indices.contains(row - above) else { return blank(innerWidth) }
      return blank(left) + lines[row - above] + blank(innerWidth - left - picture.columns)
    }
  }

  private static func blank(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

  /// Returns the relative discount, or "".
  private static func share(_ product: Product) -> String {
    guard let price = product.price, let sale = product.sale else { return "" }
    return NumberFormatting.percent(from: price, to: sale).map { "  " + $0 } ?? ""
  }
}

/// The card of one product with its picture: side by side if the terminal is wide enough, otherwise the picture above
/// the fields.
package struct IllustratedCard {
  /// The preferred size of a picture in cells.
  private static let preferred = (columns: 28, rows: 10)
  /// The minimum height of a recognizable picture.
  private static let minimumRows = 3
  /// The minimum width of fields next to a picture; narrower ones wrap too often.
  private static let minimumFieldWidth = 44
  private static let gap = 2
  /// The rows of the command, the caption, and the next prompt.
  private static let otherRows = 3

  private let product: Product
  private let caption: LocalizedText?
  private let options: RenderOptions
  private let isBeside: Bool

  /// Creates a card.
  ///
  /// The `caption` names the next picture, or is `nil` if there is only one. `isText` means that the picture consists of
  /// characters; only then can there be text next to it.
  package init(_ product: Product, caption: LocalizedText?, isText: Bool, _ options: RenderOptions) {
    self.product = product
    self.caption = caption
    self.options = options
    let beside = IllustratedCard.preferred.columns + IllustratedCard.gap + IllustratedCard.minimumFieldWidth
    isBeside = isText && (options.lineWidth ?? 0) >= beside
  }

  /// Returns the maximum size of the picture, in cells, for which the complete card fits a screen of that height.
  package func pictureBox(height: Int?) -> (columns: Int, rows: Int) {
    let preferred = IllustratedCard.preferred
    guard !isBeside, let height else { return preferred }
    let free = height - ProductCard.lines(product, fields: nil, options).count - IllustratedCard.otherRows
    return (preferred.columns, max(IllustratedCard.minimumRows, min(preferred.rows, free)))
  }

  /// Returns the card as lines.
  ///
  /// The caption says that a picture is missing.
  package func drawing(_ picture: TerminalPicture?) -> Figure {
    var lines: [String]
    var above: TerminalPicture?
    if let picture, isBeside {
      var narrow = options
      narrow.width = options.lineWidth.map { $0 - picture.columns - IllustratedCard.gap }
      let fields = ProductCard.lines(product, fields: nil, narrow)
      lines = (0..<max(fields.count, picture.rows)).map { row in
        let left = row < picture.lines.count ? picture.lines[row] : String(repeating: " ", count: picture.columns)
        return left + String(repeating: " ", count: IllustratedCard.gap) + (row < fields.count ? fields[row] : "")
      }
    } else {
      lines = ProductCard.lines(product, fields: nil, options)
      above = picture
    }
    let note = caption.map { Styling.lines($0[options.language], width: options.lineWidth, options) } ?? []
    lines = above == nil ? lines + note : note + lines
    return Figure(lines.map { [.init($0)] }, table: Table([], rows: []), picture: above)
  }
}

/// The complete card of a product: a line per field, long text wrapped in the column of values, each URL truncated to
/// one line.
enum ProductCard {
  static func lines(_ product: Product, fields: [ProductField]?, _ options: RenderOptions) -> [String] {
    let shown = fields ?? ProductField.allCases
    let titles = shown.map { $0.title[options.language].plain }
    // Fields that were requested by name are shown completely.
    let room = fields == nil ? DefinitionList.room(beside: titles, options) : nil
    var cut: [ProductField] = []
    let entries = zip(shown, titles).map { field, title in
      var values = texts(product, field: field, options: options)
      var addresses: [String?] = []
      if let room, field == .thumbnail || field == .images {
        let fitted = values.map { options.cells.truncatedInMiddle($0, to: room, ellipsis: options.ellipsis) }
        if fitted != values {
          cut.append(field)
          let whole = field == .thumbnail ? [product.thumbnailURL] : product.images?.map(\.url) ?? []
          addresses = zip(zip(values, fitted), whole).map { $0.0 == $0.1 ? nil : $1 }
        }
        values = fitted
      }
      return DefinitionList.Entry(title, values, addresses: addresses)
    }
    return DefinitionList.lines(entries, options) + remark(product, shortened: cut, options: options)
  }

  /// Returns a note about truncated URLs, with the command that shows them completely.
  private static func remark(_ product: Product, shortened cut: [ProductField], options: RenderOptions) -> [String] {
    guard !cut.isEmpty else { return [] }
    let line = "show \(product.id) " + cut.map(\.rawValue).joined(separator: " ")
    let words = LocalizedText(
      "\(.dim("URLs are shortened.")) \(.command(line)) \(.dim("shows them in full."))",
      ko: "\(.dim("주소를 줄였습니다:")) \(.command(line), .toward)\(.dim(" 다 볼 수 있습니다."))")
    return Styling.lines(words[options.language], width: options.lineWidth, options)
  }

  private static func texts(_ product: Product, field: ProductField, options: RenderOptions) -> [String] {
    let text = CellText.text(product, field: field, options: options)
    switch field {
    case .description:
      return [product.description.map { Sanitizer.sanitized($0, options.isTerminal ? .keep : .escape) } ?? "-"]
    case .images:
      guard let images = product.images, !images.isEmpty else { return [product.images == nil ? "-" : "0"] }
      return images.enumerated().map { "\($0 + 1)/\(images.count) " + CellText.words($1.url) }
    case .discount:
      guard let price = product.price, let sale = product.sale,
        let share = NumberFormatting.percent(from: price, to: sale)
      else { return [text] }
      return [text + " (" + share + ")"]
    case .created:
      return [product.created?.isMidnight == true && options.isTerminal ? CellText.day(product.created) : text]
    case .modified:
      return [product.modified?.isMidnight == true && options.isTerminal ? CellText.day(product.modified) : text]
    case .id, .name, .price, .sale, .currency, .stock, .vendor, .vendorID, .thumbnail:
      return [text]
    }
  }
}
