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
