import Catalog
import Text

/// One row of a file to import: which product, and the cells that say something.
package struct ImportRow: Hashable, Sendable {
  package enum Value: Hashable, Sendable {
    case text(String)
    /// `-`: empty it.
    case clear
  }

  package struct Cell: Hashable, Sendable {
    package var field: Field
    package var value: Value
  }

  /// Where it begins in the file, from 1.
  package var line: Int
  /// Nil for a product that is to be made.
  package var id: Product.ID?
  package var cells: [Cell]

  package func text(_ field: Field) -> String? {
    for cell in cells where cell.field == field {
      if case .text(let text) = cell.value { return text }
    }
    return nil
  }
}
