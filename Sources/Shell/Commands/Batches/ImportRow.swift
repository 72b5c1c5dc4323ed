import Catalog
import Text

/// One row of a file to import: which product, and the cells that say something.
struct ImportRow: Hashable, Sendable {
  enum Value: Hashable, Sendable {
    case text(String)
    /// `-`: empty it.
    case clear
  }

  struct Cell: Hashable, Sendable {
    var field: Field
    var value: Value
  }

  /// Where it begins in the file, from 1.
  var line: Int
  /// Nil for a product that is to be made.
  var id: Product.ID?
  var cells: [Cell]

  func text(_ field: Field) -> String? {
    for cell in cells where cell.field == field {
      if case .text(let text) = cell.value { return text }
    }
    return nil
  }
}
