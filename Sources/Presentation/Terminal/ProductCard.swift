import Catalog
import Text

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
      var values = texts(product, field, options)
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
    return DefinitionList.lines(entries, options) + remark(product, cut, options)
  }

  /// Returns a note about truncated URLs, with the command that shows them completely.
  private static func remark(_ product: Product, _ cut: [ProductField], _ options: RenderOptions) -> [String] {
    guard !cut.isEmpty else { return [] }
    let line = "show \(product.id) " + cut.map(\.rawValue).joined(separator: " ")
    let words = LocalizedText(
      "\(.dim("URLs are shortened.")) \(.command(line)) \(.dim("shows them in full."))",
      ko: "\(.dim("주소를 줄였습니다:")) \(.command(line))\(.dim("로 다 볼 수 있습니다."))")
    return Styling.lines(words[options.language], width: options.lineWidth, options)
  }

  private static func texts(_ product: Product, _ field: ProductField, _ options: RenderOptions) -> [String] {
    let text = CellText.text(product, field, options)
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
