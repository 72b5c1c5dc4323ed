import Catalog
import Text

/// The columns of a list of products for users: the requested ones, or those with values for these products.
struct ProductListColumns {
  private let fields: [ProductField]
  private let columns: [TerminalTable.Column]
  private let dateOnlyFields: [ProductField]
  private let options: RenderOptions

  init(of products: [Product], asked: [ProductField]?, _ options: RenderOptions) {
    let fields = asked ?? ProductListColumns.usual(products, options)
    self.fields = fields
    self.options = options
    columns = fields.map { field in
      TerminalTable.Column(
        title: field.title[options.language].plain, isNumber: field.isNumber,
        minimumWidth: ProductListColumns.minimumWidth(field),
        comfortable: asked == nil && field == .name ? 20 : nil,
        isSpare: asked == nil && ProductListColumns.isOptional(field), isSilent: field == .created,
        dropOrder: asked == nil ? ProductListColumns.dropOrder(field, among: fields) : nil)
    }
    dateOnlyFields = fields.filter { ProductListColumns.isDaysOnly($0, products: products, options: options) }
  }

  /// Returns the table of products.
  ///
  /// `first` is the number of the first row, and `digits` the width of the numbers if more rows will follow.
  func table(of products: [Product], from first: Int = 1, digits: Int = 0) -> TerminalTable {
    var columns = columns
    for (index, field) in fields.enumerated() where field == .stock {
      columns[index].loud = Set(products.indices.filter { products[$0].stock == 0 })
    }
    var rows = products.map { product in
      fields.map {
        dateOnlyFields.contains($0)
          ? ProductListColumns.day(product, $0) : ProductListColumns.cell(product, field: $0, options: options)
      }
    }
    // The number is for reading what `@13` refers to; programs count by themselves.
    if options.isTerminal {
      columns.insert(
        TerminalTable.Column(title: "#", isNumber: true, reservedWidth: digits, isSilent: true, dropOrder: 1), at: 0)
      for row in rows.indices { rows[row].insert(String(first + row), at: 0) }
    }
    return TerminalTable(columns, rows: rows)
  }

  /// Returns the columns with values for these products.
  ///
  /// On a terminal the discount is included only if there is one; the sale price always is, so that one list has the
  /// columns of the next.
  private static func usual(_ products: [Product], _ options: RenderOptions) -> [ProductField] {
    let isPlain = options.isTerminal && products.allSatisfy { $0.discount ?? .zero == .zero && $0.sale == $0.price }
    return usual.filter { field in
      if isPlain, !products.isEmpty, field == .discount { return false }
      return [.id, .name].contains(field) || products.isEmpty || products.contains { has($0, field) }
    }
  }

  /// Returns a cell.
  ///
  /// On a terminal a zero discount is empty, because a column of ₩0 would hide the actual discounts.
  private static func cell(_ product: Product, field: ProductField, options: RenderOptions) -> String {
    if options.isTerminal, field == .discount, product.discount == .zero { return "" }
    return CellText.text(product, field: field, options: options)
  }

  /// Returns true if all times of a column are midnight.
  ///
  /// Then only the date is shown to users.
  private static func isDaysOnly(_ field: ProductField, products: [Product], options: RenderOptions) -> Bool {
    guard options.isTerminal, field == .created || field == .modified else { return false }
    return products.allSatisfy { moment($0, field)?.isMidnight ?? true }
  }

  private static func day(_ product: Product, _ field: ProductField) -> String { CellText.day(moment(product, field)) }

  private static func moment(_ product: Product, _ field: ProductField) -> Timestamp? {
    field == .created ? product.created : product.modified
  }

  private static let usual: [ProductField] = [.id, .name, .price, .discount, .sale, .stock, .vendor, .created]

  private static func has(_ product: Product, _ field: ProductField) -> Bool {
    product[field] != nil
  }

  private static func minimumWidth(_ field: ProductField) -> Int? {
    switch field {
    case .name: 14
    case .description: 12
    case .vendor: 6
    case .thumbnail: 10
    case .id, .price, .discount, .sale, .currency, .stock, .vendorID, .created, .modified, .images: nil
    }
  }

  /// Returns true for columns that repeat others or matter least.
  private static func isOptional(_ field: ProductField) -> Bool { field == .created || field == .discount }

  private static func dropOrder(_ field: ProductField, among fields: [ProductField]) -> Int? {
    switch field {
    // A list needs prices: if they do not fit, rows are shown vertically.
    case .id, .name, .sale: nil
    case .price: fields.contains(.sale) ? 3 : nil
    case .stock: 2
    case .vendor: 4
    case .discount: 5
    case .created: 6
    case .description, .currency, .vendorID, .modified, .thumbnail, .images: 7
    }
  }
}

/// A value formatted for users, sanitized and on one line; `-` if the edition does not provide it.
enum CellText {
  static func text(_ product: Product, field: ProductField, options: RenderOptions) -> String {
    switch product[field] {
    case nil: "-"
    case .text(let text): words(text)
    case .number(let count): field == .stock ? stock(count, options) : String(count)
    case .amount(let amount): NumberFormatting.money(amount, product.currency, ascii: options.usesASCII)
    case .timestamp(let moment): time(moment)
    case .pictures(let pictures): String(pictures.count)
    case .references(let references): String(references.count)
    }
  }

  static func text(_ cell: Table.Cell, _ options: RenderOptions) -> String {
    switch cell {
    case .none: "-"
    case .text(let text): words(text)
    // Separators would make an id or a port harder to read. Counts are formatted by the caller.
    case .number(let number): String(number)
    case .decimal(let amount): amount.description
    case .amount(let amount, let currency): NumberFormatting.money(amount, currency, ascii: options.usesASCII)
    case .bool(let flag): options.language == .english ? (flag ? "yes" : "no") : (flag ? "예" : "아니요")
    case .localized(let wording): words(wording[options.language].plain)
    case .timestamp(let moment): local(moment)
    case .record(let entries):
      entries.map { title($0.key, options) + " " + text($0.cell, options) }.joined(separator: ", ")
    case .list(let cells): cells.map { text($0, options) }.joined(separator: ", ")
    }
  }

  /// Returns the title of a field; any other name is returned as is.
  private static func title(_ key: String, _ options: RenderOptions) -> String {
    ProductField(rawValue: key).map { $0.title[options.language].plain } ?? words(key)
  }

  static func words(_ text: String?) -> String { text.map { Sanitizer.sanitized($0, limit: 2_000) } ?? "-" }

  /// Returns a text in quotation marks if it begins or ends with white space, which is invisible otherwise.
  static func delimited(_ text: String) -> String {
    let ends = [text.unicodeScalars.first, text.unicodeScalars.last]
    return ends.contains { $0?.properties.isWhitespace == true } ? "\"\(text)\"" : text
  }

  static func time(_ moment: Timestamp?) -> String { moment?.displayDescription ?? "-" }

  /// Returns a time.
  ///
  /// A UTC time is shown in the local time zone with its name; a time of a server without a time zone is shown as
  /// received.
  static func local(_ moment: Timestamp) -> String {
    guard moment.isUTC, let zone = LocalTimeZone(at: moment.seconds), zone.secondsFromGMT != 0 else {
      return time(moment)
    }
    return time(moment.local) + " " + zone.name
  }

  /// Returns the date only, because the time of a market that stores dates says nothing.
  static func day(_ moment: Timestamp?) -> String {
    moment.map { String($0.description.prefix { $0 != "T" }) } ?? "-"
  }

  private static func stock(_ count: Int, _ options: RenderOptions) -> String {
    guard count == 0 else { return NumberFormatting.grouped(count) }
    return options.language == .english ? "sold out" : "품절"
  }
}
