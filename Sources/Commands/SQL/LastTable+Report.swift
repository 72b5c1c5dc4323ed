import Catalog
import History
import Presentation
import Text

extension LastTable {
  /// Creates the table of a list of products, with the columns of the table `products`.
  init(_ products: [Product]) {
    let columns = SQLTable.last.columns
    self.init(
      columns: columns.map { Column($0, isNumber: ["integer", "decimal"].contains(SQLTable.type(of: $0))) },
      rows: products.map { product in
        columns.map { column in
          let field = ProductField(rawValue: column)
          return field.flatMap { product.text(of: $0) }.map { .text($0) } ?? .null
        }
      })
  }

  /// Creates the table of other rows, with their columns.
  init(_ table: Table) {
    self.init(
      columns: table.columns.map { Column($0.key, isNumber: $0.isNumber) },
      rows: table.rows.map { $0.map(LastTable.value) })
  }

  private static func value(_ cell: Table.Cell) -> SQLValue {
    switch cell {
    case .none: .null
    case .text(let text): .text(text)
    case .number(let number): .integer(Int64(number))
    case .amount(let amount), .decimal(let amount): .text(amount.description)
    case .bool(let flag): .integer(flag ? 1 : 0)
    case .localized(let text): .text(text[.english].plain)
    case .timestamp(let moment): .text(moment.description)
    case .record(let members): .text(members.map { "\($0.key) \(text(value($0.cell)))" }.joined(separator: ", "))
    case .list(let cells): .text(cells.map { text(value($0)) }.joined(separator: " "))
    }
  }

  private static func text(_ value: SQLValue) -> String {
    switch value {
    case .text(let text): text
    case .integer(let number): String(number)
    case .real, .blob, .null: ""
    }
  }
}
