/// The result of a query: named columns and rows of values.
package struct SQLResult: Hashable, Sendable {
  package var columns: [String]
  package var rows: [[SQLValue]]

  package init(columns: [String], rows: [[SQLValue]]) {
    self.columns = columns
    self.rows = rows
  }
}

/// A value of one of SQLite's five storage classes.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  /// A blob, of which only the size is returned: no offered table contains pictures.
  case blob(Int)
}

/// The reason why a query has no result.
package enum SQLError: Error, Hashable, Sendable {
  /// An error message from SQLite.
  case invalidSQL(String)
  /// The statement does something other than reading the offered tables.
  case forbidden
  /// The text contains no statement or more than one.
  case notASingleQuery
  /// The query was stopped after this number of seconds.
  case timedOut(Int)
  case tooMuchMemory
  case tooManyRows(Int)
  /// Common table expressions are expanded into too many copies.
  case tooManyCTECopies
  case archive(StoreError)
}
