import Text

/// A difference between two reports with the same rows.
package enum RowChange: Hashable, Sendable {
  case added(ReportSnapshot.Row)
  case removed(ReportSnapshot.Row)
  case changed(id: String, field: String, before: String, after: String)

  /// The change as text, such as `+ 812 …`, `- 17 …` or `42 price 9000 -> 8500`.
  package var line: StyledText {
    switch self {
    case .added(let row): "\(.after("+"))" + RowChange.text(of: row)
    case .removed(let row): "\(.before("-"))" + RowChange.name(of: row)
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

  /// Returns the changes as rows for data formats, one per field: `change, id, field, before, after`.
  package static func table(_ changes: [RowChange]) -> Table {
    let keys = ["change", "id", "field", "before", "after"]
    return Table(keys.map { Table.Column($0, LocalizedText(same: StyledText($0))) }, rows: changes.flatMap(\.rows))
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

  /// Returns a number for plain integers, so that JSON has a number, and `none` for an empty text.
  private static func cell(_ text: String) -> Table.Cell {
    if text.isEmpty { return .none }
    guard text.utf8.count <= 15, let number = Int(text), String(number) == text else { return .text(text) }
    return .number(number)
  }
}
