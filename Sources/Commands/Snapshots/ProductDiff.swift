import Catalog
import Presentation
import Text

/// The differences between two states of a market, one row for each changed field.
struct ProductDiff {
  enum Kind: Hashable {
    case added
    case removed
    case changed(ProductField)
  }

  struct Row {
    var kind: Kind
    /// The later state, or the earlier one of a removed product.
    var product: Product
    var before: Product?
    var after: Product?

    fileprivate func cell(_ product: Product?, ofMissing field: ProductField?) -> Table.Cell {
      guard let product else { return .none }
      if case .changed(let field) = kind { return Table.Cell(product[field]) }
      return field.map { Table.Cell(product[$0]) } ?? .none
    }
  }

  private(set) var rows: [Row] = []

  /// Compares products in fields that both states provide.
  init(_ pairs: [(before: Product?, after: Product?)], in fields: [ProductField]) {
    for (before, after) in pairs {
      switch (before, after) {
      case (nil, let new?): rows.append(Row(kind: .added, product: new, before: nil, after: new))
      case (let old?, nil): rows.append(Row(kind: .removed, product: old, before: old, after: nil))
      case (let old?, let new?):
        for field in fields where ProductDiff.differs(field, old, new) {
          rows.append(Row(kind: .changed(field), product: new, before: old, after: new))
        }
      case (nil, nil): break
      }
    }
  }

  private static func differs(_ field: ProductField, _ old: Product, _ new: Product) -> Bool {
    guard let before = old[field], let after = new[field], before != after else { return false }
    // The same image on a moved server isn't a change.
    guard field == .thumbnail || field == .images else { return before.description != after.description }
    return PictureAddresses.removingOrigins(in: before.description)
      != PictureAddresses.removingOrigins(in: after.description)
  }

  /// Returns the table of the rows.
  ///
  /// - Parameters:
  ///   - field: The field that is shown of a product that was added or removed.
  ///   - word: Returns the word for the change of a row.
  /// - Returns: The table.
  func table(ofMissing field: ProductField? = nil, _ word: (Row) -> String) -> Table {
    Table(
      [
        .init("id", LocalizedText("id", ko: "번호"), isNumber: true), .init("name", LocalizedText("name", ko: "이름")),
        .init("change", LocalizedText("change", ko: "변경")), .init("field", LocalizedText("field", ko: "필드")),
        .init("before", LocalizedText("before", ko: "전")), .init("after", LocalizedText("after", ko: "후")),
      ],
      rows: rows.map { row in
        [
          .number(row.product.id), Table.Cell(row.product[.name]), .text(word(row)), row.changedField,
          row.cell(row.before, ofMissing: field), row.cell(row.after, ofMissing: field),
        ]
      })
  }
}

extension ProductDiff.Row {
  fileprivate var changedField: Table.Cell {
    if case .changed(let field) = kind { .text(field.rawValue) } else { .none }
  }
}
