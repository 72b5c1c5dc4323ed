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

  /// Returns the differences from an earlier report in the order of the rows, removed rows last.
  package func differences(from old: ReportSnapshot) -> [ReportDifference] {
    var before = Dictionary(old.rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var differences: [ReportDifference] = []
    for row in rows {
      guard let was = before.removeValue(forKey: row.id) else {
        differences.append(.added(row))
        continue
      }
      let texts = Dictionary(was.cells.map { ($0.key, $0.text) }, uniquingKeysWith: { first, _ in first })
      for cell in row.cells where texts[cell.key] != cell.text {
        differences.append(.changed(id: row.id, field: cell.key, before: texts[cell.key] ?? "", after: cell.text))
      }
    }
    return differences + old.rows.filter { before[$0.id] != nil }.map { .removed($0) }
  }
}

/// A difference between a report and an earlier one: a row, or one cell of a row that both have.
package enum ReportDifference: Hashable, Sendable {
  case added(ReportSnapshot.Row)
  case removed(ReportSnapshot.Row)
  case changed(id: String, field: String, before: String, after: String)

  /// The difference as text, such as `+ 812 …`, `- 17 …` or `42 price 9000 -> 8500`.
  package var line: StyledText {
    switch self {
    case .added(let row): "\(.after("+"))" + ReportDifference.text(of: row)
    case .removed(let row): "\(.before("-"))" + ReportDifference.name(of: row)
    case .changed(let id, let field, let before, let after):
      (id.isEmpty ? "" : "\(.strong(Sanitizer.sanitized(id))) ")
        + "\(.field(field)) \(.before(shown(before))) -> \(.after(shown(after)))"
    }
  }

  private func shown(_ text: String) -> String { text.isEmpty ? "-" : text }

  private static func name(of row: ReportSnapshot.Row) -> StyledText {
    let name: StyledText = row.name.map { " \(.foreign($0))" } ?? ""
    return (row.id.isEmpty ? "" : " \(.strong(Sanitizer.sanitized(row.id)))") + name
  }

  private static func text(of row: ReportSnapshot.Row) -> StyledText {
    let cells = row.cells.filter { $0.key != "name" && $0.key != "id" && !$0.text.isEmpty }
    return cells.reduce(name(of: row)) { $0 + "  \(.dim($1.key)) \(.foreign($1.text))" }
  }

  /// Returns the differences as rows for data formats, one per field: `change, id, field, before, after`.
  package static func table(_ differences: [ReportDifference]) -> Table {
    let keys = ["change", "id", "field", "before", "after"]
    return Table(keys.map { Table.Column($0, LocalizedText(same: StyledText($0))) }, rows: differences.flatMap(\.rows))
  }

  private var rows: [[Table.Cell]] {
    switch self {
    case .added(let row):
      row.cells.filter { !$0.text.isEmpty }.map {
        [.text("added"), ReportDifference.cell(row.id), .text($0.key), .none, ReportDifference.cell($0.text)]
      }
    case .removed(let row): [[.text("removed"), ReportDifference.cell(row.id), .none, .none, .none]]
    case .changed(let id, let field, let before, let after):
      [
        [
          .text("changed"), ReportDifference.cell(id), .text(field), ReportDifference.cell(before),
          ReportDifference.cell(after),
        ]
      ]
    }
  }

  /// Returns a number for plain integers, so that JSON has a number, and `none` for an empty text.
  private static func cell(_ text: String) -> Table.Cell {
    if text.isEmpty { return .none }
    guard text.utf8.count <= 15, let number = Int(text), String(number) == text else { return .text(text) }
    return .number(number)
  }
}
