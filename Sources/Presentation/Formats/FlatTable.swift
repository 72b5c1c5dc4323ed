import Catalog
import Text

/// A report as rows of cells for CSV, TSV and Markdown; `nil` for a report without rows.
struct FlatTable {
  var keys: [String]
  var numbers: [Bool]
  var rows: [[FlatCell]]

  init(_ products: [Product], fields: [ProductField]?) {
    let fields = fields ?? ProductField.allCases
    keys = fields.map(\.rawValue)
    numbers = fields.map(\.isNumber)
    rows = products.map { product in fields.map { FlatCell(product, $0) } }
  }

  init(_ table: Table) {
    keys = table.columns.map(\.key)
    numbers = table.columns.map(\.isNumber)
    rows = table.rows.map { $0.map(FlatCell.init) }
  }

  /// Creates a table of several products with the same fields, or returns `nil` for other reports.
  init?(products reports: [Report]) {
    var products: [Product] = []
    var shown: [[ProductField]?] = []
    for report in reports {
      guard case .product(let product, let fields) = report else { return nil }
      products.append(product)
      shown.append(fields)
    }
    guard let fields = shown.first, shown.allSatisfy({ $0 == fields }) else { return nil }
    self.init(products, fields: fields)
  }

  init?(_ report: Report) {
    switch report {
    case .listing(let listing): self.init(listing.page.products, fields: listing.columns)
    case .product(let product, let fields): self.init([product], fields: fields)
    case .rows(let table): self.init(table)
    case .drawing(let drawing): self.init(drawing.table)
    case .receipt(let receipt): self.init(receipt.whole)
    case .message, .text, .group, .empty: return nil
    }
  }
}

extension ProductField {
  /// Indicates whether the field is aligned to the right and never guarded as text.
  var isNumber: Bool {
    switch self {
    case .id, .price, .discount, .sale, .stock, .vendorID: true
    case .name, .description, .currency, .vendor, .created, .modified, .thumbnail, .images: false
    }
  }
}

/// A cell of a format without nesting.
///
/// A missing value is an empty cell.
struct FlatCell {
  var text: String
  /// Indicates text, which is guarded; numbers, Booleans and times are not.
  var isText: Bool

  static let empty = FlatCell(text: "", isText: false)
  static func text(_ text: String?) -> FlatCell { text.map { FlatCell(text: $0, isText: true) } ?? .empty }
  static func raw(_ value: (some CustomStringConvertible)?) -> FlatCell {
    value.map { FlatCell(text: $0.description, isText: false) } ?? .empty
  }

  init(text: String, isText: Bool) {
    self.text = text
    self.isText = isText
  }

  init(_ product: Product, _ field: ProductField) {
    switch field {
    case .id: self = .raw(product.id)
    case .name: self = .text(product.name)
    case .description: self = .text(product.description)
    case .price: self = .raw(product.price)
    case .discount: self = .raw(product.discount)
    case .sale: self = .raw(product.sale)
    case .currency: self = .text(product.currency?.code)
    case .stock: self = .raw(product.stock)
    case .vendor: self = .text(product.vendor)
    case .vendorID: self = .raw(product.vendorID)
    case .created: self = .raw(product.created)
    case .modified: self = .raw(product.modified)
    case .thumbnail: self = .text(product.thumbnailURL)
    case .images: self = .text(product.images.map { $0.map(\.url).joined(separator: " ") })
    }
  }

  init(_ cell: Table.Cell) {
    switch cell {
    case .none: self = .empty
    case .text(let text): self = .text(text)
    case .number(let number): self = .raw(number)
    case .amount(let amount), .decimal(let amount): self = .raw(amount)
    case .bool(let flag): self = .raw(flag)
    case .localized(let wording): self = .text(wording.english.plain)
    case .timestamp(let moment): self = .raw(moment)
    case .record, .list: self = .text(OutputJSON(cell).text)
    }
  }
}

/// The common rendering of formats without nesting: reports without rows are rendered as text, several reports in
/// sequence.
enum FlatRendering {
  /// Renders a report.
  ///
  /// `keepsTabs` preserves tabs, which separate the cells of a row in TSV; in other formats a tab is part of a cell.
  static func render(
    _ report: Report, _ options: RenderOptions, keepsTabs: Bool = false, rows: (FlatTable) -> String
  ) -> String {
    switch report {
    case .listing, .product, .rows, .drawing:
      return FlatTable(report).map { render($0, options, keepsTabs, rows) } ?? ""
    case .message(let message): return MessageRenderer().render(message, options)
    case .text(let wording): return sanitized(terminated(wording[options.language].plain), options)
    case .group(let reports):
      if let products = FlatTable(products: reports) { return render(products, options, keepsTabs, rows) }
      return reports.map { render($0, options, keepsTabs: keepsTabs, rows: rows) }.joined()
    case .receipt(let receipt): return render(receipt.whole, options, keepsTabs: keepsTabs, rows: rows)
    case .empty: return ""
    }
  }

  private static func render(
    _ table: FlatTable, _ options: RenderOptions, _ keepsTabs: Bool, _ rows: (FlatTable) -> String
  ) -> String {
    keepsTabs ? harmlessRows(rows(table), options) : sanitized(rows(table), options)
  }

  /// Returns the text unchanged for a file, and sanitized for a terminal.
  static func sanitized(_ text: String, _ options: RenderOptions) -> String {
    options.isTerminal ? Sanitizer.sanitized(text, .keep, limit: .max) : text
  }

  /// Returns the text sanitized for a terminal except for tabs, which separate the cells of a row.
  static func harmlessRows(_ text: String, _ options: RenderOptions) -> String {
    guard options.isTerminal else { return text }
    return text.split(separator: "\t", omittingEmptySubsequences: false)
      .map { Sanitizer.sanitized(String($0), .keep, limit: .max) }.joined(separator: "\t")
  }

  static func terminated(_ text: String) -> String {
    text.isEmpty || text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n"
  }
}
