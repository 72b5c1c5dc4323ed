import Catalog
import Engine
import Foundation
import Language
import Presentation
import Text

/// What differs between two snapshots, by product and field: one row a field, the products in the order of their numbers.
package struct SnapshotDifference {
  /// What a vendor changes; times, and what follows from other fields, would only repeat it.
  private static let compared: [Field] = [
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
        rows.append(SnapshotDifference.row(new, "added", nil, .none, .none))
      case (let old?, nil):
        removed += 1
        rows.append(SnapshotDifference.row(old, "removed", nil, .none, .none))
      case (nil, nil): break
      }
    }
  }

  private mutating func compare(_ old: Product, _ new: Product) {
    let count = rows.count
    for field in SnapshotDifference.compared {
      guard let before = old.text(of: field), let after = new.text(of: field),
        SnapshotDifference.meaning(before, field) != SnapshotDifference.meaning(after, field)
      else { continue }
      rows.append(
        SnapshotDifference.row(
          new, "changed", field, SnapshotDifference.cell(field, of: old), SnapshotDifference.cell(field, of: new)))
    }
    if rows.count > count { changed += 1 }
  }

  /// The same picture on a server that moved is no change: addresses are compared by their paths.
  private static func meaning(_ text: String, _ field: Field) -> String {
    guard field == .thumbnail || field == .images else { return text }
    return text.replacing(/https?:\/\/[^\/ ]+/, with: "")
  }

  private static func cell(_ field: Field, of product: Product) -> Table.Cell {
    switch field {
    case .price: product.price.map { .amount($0) } ?? .none
    case .discount: product.discount.map { .amount($0) } ?? .none
    case .stock: product.stock.map { .number($0) } ?? .none
    case .id, .name, .description, .sale, .currency, .vendor, .vendorID, .created, .modified, .thumbnail, .images:
      product.text(of: field).map { .text($0) } ?? .none
    }
  }

  private static func row(
    _ product: Product, _ change: String, _ field: Field?, _ before: Table.Cell, _ after: Table.Cell
  ) -> [Table.Cell] {
    [
      .number(product.id), product.name.map { .text($0) } ?? .none, .text(change),
      field.map { .text($0.rawValue) } ?? .none, before, after,
    ]
  }

  package var table: Table {
    Table(
      [
        .init("id", Wording("id", ko: "번호"), isNumber: true), .init("name", Wording("name", ko: "이름")),
        .init("change", Wording("change", ko: "바뀜")), .init("field", Wording("field", ko: "필드")),
        .init("before", Wording("before", ko: "전")), .init("after", Wording("after", ko: "후")),
      ], rows: rows)
  }
}
