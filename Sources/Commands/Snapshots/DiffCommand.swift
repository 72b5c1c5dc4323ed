import Catalog
import Engine
import Foundation
import Interchange
import Language
import Presentation
import Text

/// `diff`: lists the differences between a snapshot and now, or between two snapshots.
package struct DiffCommand: Command {
  package static let declaration = CommandDeclaration(
    "diff", group: .review,
    summary: LocalizedText("compare a snapshot with now, or with another snapshot", ko: "스냅샷 이후 바뀐 것"),
    details: LocalizedText(
      "Lists what differs between a snapshot and now, or between two snapshots, one row per product and field.",
      ko: "스냅샷과 현재, 또는 두 스냅샷의 차이를 상품과 필드마다 한 행으로 표시합니다."), producesData: true,
    traits: [.requiresFullScan],
    parameters: [
      Parameter(
        "FROM", .positional(required: false), .snapshot,
        LocalizedText("snapshot name (default: the latest)", ko: "스냅샷 이름(기본: 최신)")),
      Parameter(
        "TO", .positional(required: false), .snapshot,
        LocalizedText("later snapshot (default: the current state)", ko: "나중 스냅샷; 없으면 현재")),
      .pages,
    ],
    examples: [
      .init("diff", "changes since the latest snapshot", ko: "최신 스냅샷 이후"),
      .init("diff monday", "changes since the snapshot monday", ko: "monday 이후"),
      .init(
        "diff monday friday as json", "between two snapshots, one JSON object per field", ko: "두 스냅샷 사이, 필드마다 JSON 하나"),
    ])

  private let from: String?
  private let to: String?
  private let pages: Int?

  package init(_ invocation: ParsedCommand) {
    from = invocation.text("FROM")
    to = invocation.text("TO")
    pages = invocation.number("pages")
  }

  /// - Throws: `CommandError` for an unknown snapshot; the errors that cut the reading short.
  package func run(_ session: inout Session, _ execution: inout Execution, in context: CommandContext) async throws -> Report {
    // The folder of the snapshots depends on the edition, so it must be known first.
    let market = try await context.marketClient(&session)
    let store = SnapshotStore(session, context)
    let before = try await store.snapshot(from)
    let after: Snapshot
    if let to {
      after = try await store.snapshot(to)
    } else {
      after = try await Snapshot.take(from: market, session, pages: pages, in: context)
      if after.head.isComplete { context.keepVersion(after.products, session) }
    }
    let difference = SnapshotDiff(from: before, to: after)
    for part in [before, after] where !part.head.isComplete { context.say(DiffCommand.incomplete(part), session) }
    return .group([.message(DiffCommand.summary(difference, before, after)), .rows(difference.table)])
  }

  private static func summary(_ difference: SnapshotDiff, _ before: Snapshot, _ after: Snapshot) -> Message {
    let (old, new) = (label(before), label(after))
    guard !difference.rows.isEmpty else {
      return .note(
        "No changes from \(old[.english]) to \(new[.english]).",
        ko: "\(old[.korean])부터 \(new[.korean])까지 바뀐 것이 없습니다.")
    }
    return .note(
      "From \(old[.english]) to \(new[.english]): \(difference.changed) changed, \(difference.added) added, \(difference.removed) removed.",
      ko:
        "\(old[.korean])부터 \(new[.korean])까지: 변경된 상품 \(difference.changed)개, 새 상품 \(difference.added)개, 사라진 상품 \(difference.removed)개."
    )
  }

  private static func label(_ snapshot: Snapshot) -> LocalizedText {
    guard let name = snapshot.name else { return LocalizedText("now", ko: "지금") }
    return LocalizedText(
      "\(.value(name)) (\(.dim(snapshot.head.takenAt)))", ko: "\(.value(name))(\(.dim(snapshot.head.takenAt)))")
  }

  private static func incomplete(_ snapshot: Snapshot) -> Message {
    let label = label(snapshot)
    return .warning(
      "\(label[.english]) may be incomplete, so added and removed products are not certain.",
      ko: "\(label[.korean]) 목록을 다 읽지 못했을 수 있어 새 상품과 사라진 상품은 확실하지 않습니다.")
  }
}

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
