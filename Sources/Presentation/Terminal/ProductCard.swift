import Catalog

/// One product whole: a line a field, long text wrapped under its heading's column.
enum ProductCard {
  static func lines(_ product: Product, fields: [Field]?, _ options: RenderOptions) -> [String] {
    let entries = (fields ?? Field.allCases).map { field in
      LabelledLines.Entry(field.title[options.tongue].plain, texts(product, field, options))
    }
    return LabelledLines.lines(entries, options)
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
