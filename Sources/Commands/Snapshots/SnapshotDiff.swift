import Catalog
import CommandLanguage
import FileFormats
import Presentation
import Text

/// The differences of two snapshots, one row for each changed field, ordered by product id.
package struct SnapshotDiff {
  /// The fields that vendors change.
  ///
  /// Times and derived fields would repeat the same changes.
  private static let compared: [ProductField] = [
    .name, .description, .price, .discount, .currency, .stock, .vendor, .thumbnail, .images,
  ]

  package private(set) var rows: [[Table.Cell]] = []
  package private(set) var changed = 0
  package private(set) var added = 0
  private(set) var removed = 0

  package init(from before: Snapshot, to after: Snapshot) {
    let then = Dictionary(before.products.map { ($0.id, $0) }) { first, _ in first }
    let now = Dictionary(after.products.map { ($0.id, $0) }) { first, _ in first }
    for id in Set(then.keys).union(now.keys).sorted() {
      switch (then[id], now[id]) {
      case (let old?, let new?): compare(old, new)
      case (nil, let new?):
        added += 1
        rows.append(SnapshotDiff.row(new, "added", nil, .none, .none))
      case (let old?, nil):
        removed += 1
        rows.append(SnapshotDiff.row(old, "removed", nil, .none, .none))
      case (nil, nil): break
      }
    }
  }

  private mutating func compare(_ old: Product, _ new: Product) {
    let count = rows.count
    for field in SnapshotDiff.compared {
      guard let before = old.text(of: field), let after = new.text(of: field), before != after,
        SnapshotDiff.meaning(before, field) != SnapshotDiff.meaning(after, field)
      else { continue }
      rows.append(
        SnapshotDiff.row(
          new, "changed", field, SnapshotDiff.cell(field, of: old), SnapshotDiff.cell(field, of: new)))
    }
    if rows.count > count { changed += 1 }
  }

  /// Returns the text to compare.
  ///
  /// Image addresses are compared by path, because the same image on a moved server isn't a change.
  private static func meaning(_ text: String, _ field: ProductField) -> String {
    guard field == .thumbnail || field == .images else { return text }
    return PictureAddresses.removingOrigins(in: text)
  }

  private static func cell(_ field: ProductField, of product: Product) -> Table.Cell {
    switch field {
    case .price: product.price.map { .amount($0) } ?? .none
    case .discount: product.discount.map { .amount($0) } ?? .none
    case .stock: product.stock.map { .number($0) } ?? .none
    case .id, .name, .description, .sale, .currency, .vendor, .vendorID, .created, .modified, .thumbnail, .images:
      product.text(of: field).map { .text($0) } ?? .none
    }
  }

  private static func row(
    _ product: Product, _ change: String, _ field: ProductField?, _ before: Table.Cell, _ after: Table.Cell
  ) -> [Table.Cell] {
    [
      .number(product.id), product.name.map { .text($0) } ?? .none, .text(change),
      field.map { .text($0.rawValue) } ?? .none, before, after,
    ]
  }

  package var table: Table {
    Table(
      [
        .init("id", LocalizedText("id", ko: "번호"), isNumber: true), .init("name", LocalizedText("name", ko: "이름")),
        .init("change", LocalizedText("change", ko: "변경")), .init("field", LocalizedText("field", ko: "필드")),
        .init("before", LocalizedText("before", ko: "전")), .init("after", LocalizedText("after", ko: "후")),
      ], rows: rows)
  }
}
