import Catalog

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
  var isNumber: Bool { valueType == .number || valueType == .amount }
}
