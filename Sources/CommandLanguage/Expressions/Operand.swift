import Catalog

/// The left side of a comparison with a product or a row.
package enum Operand: Hashable, Sendable {
  case field(ProductField)
  /// A column of a table whose rows aren't products.
  case column(String)
}

extension Operand {
  var field: ProductField? {
    switch self {
    case .field(let field): field
    case .column: nil
    }
  }
}
