/// The result of a query: named columns and rows of values.
package struct SQLResult: Hashable, Sendable {
  package var columns: [String]
  package var rows: [[SQLValue]]

  package init(columns: [String], rows: [[SQLValue]]) {
    self.columns = columns
    self.rows = rows
  }
}
