/// What a query answered: named columns and rows of values.
package struct SQLAnswer: Hashable, Sendable {
  package var columns: [String]
  package var rows: [[SQLValue]]

  package init(columns: [String], rows: [[SQLValue]]) {
    self.columns = columns
    self.rows = rows
  }
}

/// One value of SQLite's five kinds.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  /// Only how many there are: nothing that can be asked about is a picture.
  case bytes(Int)
}

/// Why a query has no answer.
package enum SQLFailure: Error, Hashable, Sendable {
  /// In SQLite's words.
  case wrong(String)
  /// It would do something else than read the tables there are.
  case forbidden
  /// More than one statement, or none.
  case notOneQuery
  /// Stopped after so many seconds.
  case tooLong(Int)
  case tooMuchMemory
  case tooManyRows(Int)
  /// Subqueries that name each other are copied too often to be worked out.
  case tooNested
  case archive(ArchiveFailure)
}
