import Catalog

/// The left side of a comparison: a field of the product, or (for `assert`) a value out of a variable or quotes.
package enum Operand: Hashable, Sendable {
  case field(Field)
  case text(String)
}
