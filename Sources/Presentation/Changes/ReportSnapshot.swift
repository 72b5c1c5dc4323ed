import Catalog
import Text

/// A report as identified rows, to be compared with the same rows later.
package struct ReportSnapshot: Hashable, Sendable {
  /// A field and its value as shown in a change.
  package struct Cell: Hashable, Sendable {
    package var key: String
    package var text: String
  }

  /// A row, identified by its id in a later report.
  package struct Row: Hashable, Sendable {
    /// The id of the row; empty for the only row of its kind.
    package var id: String
    package var name: String?
    package var cells: [Cell]
  }

  package private(set) var rows: [Row] = []
  private var idCounts: [String: Int] = [:]

  package init(_ report: Report) {
    append(report)
  }

  private mutating func append(_ report: Report) {
    switch report {
    case .listing(let listing): add(listing.page.products, fields: listing.columns)
    case .product(let product, let fields): add([product], fields: fields)
    case .rows(let table): add(table)
    case .drawing(let drawing): add(drawing.table)
    case .text(let wording):
      rows.append(Row(id: "", name: nil, cells: [Cell(key: "text", text: wording.english.plain)]))
    case .receipt(let receipt): append(receipt.whole)
    case .group(let reports): for report in reports { append(report) }
    case .message, .empty: break
    }
  }

  /// Adds products.
  ///
  /// Fields that are derived from others are left out unless they were requested by name.
  private mutating func add(_ products: [Product], fields: [ProductField]?) {
    let fields = fields ?? ProductField.allCases.filter { $0 != .sale && $0 != .modified }
    for product in products {
      let cells = fields.map { Cell(key: $0.rawValue, text: FlatCell(product, $0).text) }
      add(Row(id: String(product.id), name: product.name, cells: cells))
    }
  }

  private mutating func add(_ table: Table) {
    let flat = FlatTable(table)
    for row in flat.rows {
      let cells = zip(flat.keys, row).map { Cell(key: $0, text: $1.text) }
      add(Row(id: table.isSingle ? "" : cells.first?.text ?? "", name: nil, cells: cells))
    }
  }

  /// Adds a row.
  ///
  /// Rows with the same id are numbered in order: `a`, `a#2`.
  private mutating func add(_ row: Row) {
    var row = row
    idCounts[row.id, default: 0] += 1
    if let count = idCounts[row.id], count > 1 { row.id += "#\(count)" }
    rows.append(row)
  }

  /// Returns the changes since `old` in the order of the rows, removed rows last.
  package func changes(since old: ReportSnapshot) -> [RowChange] {
    var before = Dictionary(old.rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var changes: [RowChange] = []
    for row in rows {
      guard let was = before.removeValue(forKey: row.id) else {
        changes.append(.added(row))
        continue
      }
      let texts = Dictionary(was.cells.map { ($0.key, $0.text) }, uniquingKeysWith: { first, _ in first })
      for cell in row.cells where texts[cell.key] != cell.text {
        changes.append(.changed(id: row.id, field: cell.key, before: texts[cell.key] ?? "", after: cell.text))
      }
    }
    return changes + old.rows.filter { before[$0.id] != nil }.map { .removed($0) }
  }
}
