/// What the values of a column are compared as.
package enum ColumnKind: Hashable, Sendable {
  case text
  case number
  case time
}
