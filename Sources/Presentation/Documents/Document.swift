import Catalog
import Text

/// Tables with their names and remarks, for a workbook or a web page.
package struct Document: Hashable, Sendable {
  /// The headings of columns.
  package enum Headings: Hashable, Sendable {
    /// The keys of data formats, by which a file is imported again.
    case keys
    /// The titles for users.
    case titles
  }

  /// A table of the document: a sheet of a workbook.
  package struct Section: Hashable, Sendable {
    package var name: LocalizedText
    package var remarks: [LocalizedText]
    package var table: Table
    /// The number of rows at the end of the table that are sums of those before.
    package var totals: Int

    package init(_ name: LocalizedText, _ table: Table, remarks: [LocalizedText] = [], totals: Int = 0) {
      (self.name, self.table, self.remarks, self.totals) = (name, table, remarks, totals)
    }
  }

  package var title: LocalizedText
  package var remarks: [LocalizedText]
  package var sections: [Section]
  package var headings: Headings

  package init(_ title: LocalizedText, remarks: [LocalizedText] = [], headings: Headings, _ sections: [Section]) {
    (self.title, self.remarks, self.headings, self.sections) = (title, remarks, headings, sections)
  }

  /// Creates the document of a report, or returns `nil` for one without a table.
  package init?(_ report: Report) {
    switch report {
    case .listing(let listing): self.init(listing.page.products, fields: listing.columns)
    case .product(let product, let fields): self.init([product], fields: fields)
    case .rows(let table): self.init(Document.data, headings: .keys, [Section(Document.data, table)])
    case .drawing(let figure):
      self = figure.document ?? Document(Document.data, headings: .keys, [Section(Document.data, figure.table)])
    case .receipt(let receipt): self.init(receipt.whole)
    case .group(let reports):
      if let products = Document.products(reports) {
        self.init(products.list, fields: products.fields)
        return
      }
      var parts: [Document] = []
      for report in reports {
        guard let part = Document(report) else { return nil }
        parts.append(part)
      }
      guard let first = parts.first else { return nil }
      self.init(first.title, remarks: first.remarks, headings: first.headings, parts.flatMap(\.sections))
    case .message, .text, .empty: return nil
    }
  }

  /// Returns the products of reports that each are one product with the same fields, or `nil` for other reports.
  private static func products(_ reports: [Report]) -> (list: [Product], fields: [ProductField]?)? {
    guard case .product(_, let fields)? = reports.first else { return nil }
    var list: [Product] = []
    for report in reports {
      guard case .product(let product, let shown) = report, shown == fields else { return nil }
      list.append(product)
    }
    return (list, fields)
  }

  /// Creates the document of products, with the sums of their stock and value in a table of their own, so that the table
  /// of products can be imported.
  private init(_ products: [Product], fields: [ProductField]?) {
    let fields = fields ?? ProductField.allCases
    var totals = ProductTotals()
    for product in products { totals.add(product) }
    let table = Table(
      fields.map { Table.Column($0.rawValue, $0.title, isNumber: $0.isNumber) },
      rows: products.map { product in fields.map { Table.Cell(cellOf: product, $0) } })
    self.init(
      Document.products, headings: .keys,
      [Section(Document.products, table)] + (totals.isEmpty ? [] : [Section(ProductTotals.name, totals.table())]))
  }

  package static let products = LocalizedText("products", ko: "상품")
  private static let data = LocalizedText("data", ko: "데이터")
}

extension Table.Cell {
  /// Creates the cell of a product's field in a table that can be imported: a time stays a time.
  package init(cellOf product: Product, _ field: ProductField) {
    switch product[field] {
    case nil: self = .none
    case .text(let text): self = .text(CSVInjection.unescape(text) == text ? text : CSVInjection.escape(text))
    case .number(let number): self = .number(number)
    case .amount(let amount): self = .amount(amount, product.currency)
    case .timestamp(let moment): self = .timestamp(moment)
    case .pictures, .references: self = .text(product.text(of: field) ?? "")
    }
  }
}
