import Catalog

/// A row of a file to import: the product and the non-empty cells.
package struct ImportRow: Hashable, Sendable {
  /// The value that a cell asks for.
  package enum Value: Hashable, Sendable {
    case text(String)
    /// Clears the field; written as `-`.
    case clear
  }

  /// A non-empty cell with its field.
  package struct Cell: Hashable, Sendable {
    package var field: ProductField
    package var value: Value
    /// The number as a spreadsheet formatted it, if the product is needed to interpret it.
    package var number: SpreadsheetNumber?
  }

  /// The line on which the row begins, counted from 1.
  package var line: Int
  /// The product, or `nil` for a product to be created.
  package var id: Product.ID?
  package var cells: [Cell]

  package func text(_ field: ProductField) -> String? {
    for cell in cells where cell.field == field {
      if case .text(let text) = cell.value { return text }
    }
    return nil
  }
}

/// The rows of a file to import, with the fields that its columns or members name.
package struct ImportTable: Hashable, Sendable {
  package var rows: [ImportRow] = []
  package var columns: Set<ProductField> = []
}

extension ProductField {
  /// A Boolean value that indicates whether an import can set the field.
  ///
  /// The other columns of an export are informative.
  package var isImported: Bool {
    switch self {
    case .name, .description, .price, .discount, .sale, .currency, .stock: true
    case .id, .vendor, .vendorID, .created, .modified, .thumbnail, .images: false
    }
  }
}
