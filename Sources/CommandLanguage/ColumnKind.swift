/// The type by which the values of a column are compared.
package enum ColumnKind: Hashable, Sendable {
  case text
  case number
  case time
}
