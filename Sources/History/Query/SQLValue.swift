/// A value of one of SQLite's five storage classes.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  /// A blob, of which only the size is returned: no offered table contains pictures.
  case blob(Int)
}
