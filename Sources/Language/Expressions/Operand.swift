import Catalog

/// The left side of a comparison: a field of the product, or (for `assert`) a value out of a variable or quotes.
package enum Operand: Hashable, Sendable {
  case field(Field)
  /// A column of a table that is no list of products.
  case column(String)
  case text(String)
}
