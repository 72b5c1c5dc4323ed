import Catalog

/// One product whole: a line a field, long text wrapped under its heading's column.
enum ProductCard {
  static func lines(_ product: Product, fields: [Field]?, _ options: RenderOptions) -> [String] {
    let fields = fields ?? Field.allCases
    let width = (fields.map { options.cells.of($0.title[options.tongue].plain) }.max() ?? 0) + 2
    var lines: [String] = []
    for field in fields {
      let title = options.cells.padded(field.title[options.tongue].plain, to: width)
      let painted = Styling.paint(title, .dim, options)
      for (index, line) in values(product, field, width, options).enumerated() {
        lines.append((index == 0 ? painted : String(repeating: " ", count: width)) + line)
      }
    }
    return lines
  }

  private static func values(_ product: Product, _ field: Field, _ used: Int, _ options: RenderOptions) -> [String] {
    let room = options.isTerminal ? options.lineWidth.map { max(2, $0 - used) } : nil
    return texts(product, field, options).flatMap { text in
      Wrapping.lines(StyledText(text), width: room, options)
    }
  }

  private static func texts(_ product: Product, _ field: Field, _ options: RenderOptions) -> [String] {
    let text = PeopleCell.text(product, field, options)
    switch field {
    case .description:
      return [product.description.map { Sanitizer.clean($0, options.isTerminal ? .block : .line) } ?? "-"]
    case .images:
      guard let images = product.images, !images.isEmpty else { return [product.images == nil ? "-" : "0"] }
      return images.enumerated().map { "\($0 + 1)/\(images.count) " + PeopleCell.words($1.url) }
    case .discount:
      guard let price = product.price, let sale = product.sale,
        let share = HumanNumber.percent(from: price, to: sale)
      else { return [text] }
      return [text + " (" + share + ")"]
    case .id, .name, .price, .sale, .currency, .stock, .vendor, .vendorID, .created, .modified, .thumbnail:
      return [text]
    }
  }
}
