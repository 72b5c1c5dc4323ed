import Catalog
import Text

/// One thing that is different between two looks at the same rows.
package enum RowChange: Hashable, Sendable {
  case added(RowSet.Row)
  case removed(RowSet.Row)
  case changed(id: String, field: String, before: String, after: String)

  /// `+ 812 …`, `- 17 …`, `42 price 9000 -> 8500`.
  package var line: StyledText {
    switch self {
    case .added(let row): "\(.after("+"))" + RowChange.text(of: row)
    case .removed(let row): "\(.before("-"))" + RowChange.name(of: row)
    case .changed(let id, let field, let before, let after):
      (id.isEmpty ? "" : "\(.strong(Sanitizer.clean(id))) ")
        + "\(.field(field)) \(.before(shown(before))) -> \(.after(shown(after)))"
    }
  }

  private func shown(_ text: String) -> String { text.isEmpty ? "-" : text }

  private static func name(of row: RowSet.Row) -> StyledText {
    let name: StyledText = row.name.map { " \(.foreign($0))" } ?? ""
    return (row.id.isEmpty ? "" : " \(.strong(Sanitizer.clean(row.id)))") + name
  }

  private static func text(of row: RowSet.Row) -> StyledText {
    let cells = row.cells.filter { $0.key != "name" && $0.key != "id" && !$0.text.isEmpty }
    return cells.reduce(name(of: row)) { $0 + "  \(.dim($1.key)) \(.foreign($1.text))" }
  }

  /// Changes as rows for data formats: `change, id, field, before, after`, one a field.
  package static func table(_ changes: [RowChange]) -> Table {
    let keys = ["change", "id", "field", "before", "after"]
    return Table(keys.map { Table.Column($0, Wording(same: StyledText($0))) }, rows: changes.flatMap(\.rows))
  }

  private var rows: [[Table.Cell]] {
    switch self {
    case .added(let row):
      row.cells.filter { !$0.text.isEmpty }.map {
        [.text("added"), RowChange.cell(row.id), .text($0.key), .none, RowChange.cell($0.text)]
      }
    case .removed(let row): [[.text("removed"), RowChange.cell(row.id), .none, .none, .none]]
    case .changed(let id, let field, let before, let after):
      [[.text("changed"), RowChange.cell(id), .text(field), RowChange.cell(before), RowChange.cell(after)]]
    }
  }

  /// Plain whole numbers stay numbers in JSON; nothing stays nothing.
  private static func cell(_ text: String) -> Table.Cell {
    if text.isEmpty { return .none }
    guard text.utf8.count <= 15, let number = Int(text), String(number) == text else { return .text(text) }
    return .number(number)
  }
}
