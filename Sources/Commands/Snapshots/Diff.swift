import Catalog
import Engine
import Language
import Presentation
import Text

/// `diff`: what changed between a snapshot and now, or between two snapshots.
package struct Diff: Command {
  package static let declaration = Declaration(
    "diff", group: .products, summary: Wording("what changed since a snapshot", ko: "스냅샷 뒤로 바뀐 것"), prints: true,
    traits: [.needsAnswers],
    parameters: [
      Parameter(
        "FROM", .positional(required: false), .text,
        Wording("a snapshot; the newest without it", ko: "스냅샷; 없으면 가장 새것")),
      Parameter(
        "TO", .positional(required: false), .text,
        Wording("a later one; what is there now without it", ko: "나중 스냅샷; 없으면 지금")),
      .pages,
    ],
    examples: [
      .init("diff", "since the newest snapshot", ko: "가장 새 스냅샷 뒤로"),
      .init("diff monday", "since monday", ko: "monday 뒤로"),
      .init("diff monday friday as json", "between two, one object a field", ko: "둘 사이, 필드마다 한 줄"),
    ])

  private let from: String?
  private let to: String?
  private let pages: Int?

  package init(_ invocation: Invocation) {
    from = invocation.text("FROM")
    to = invocation.text("TO")
    pages = invocation.number("pages")
  }

  package func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    _ = try await context.market(&session)
    let store = SnapshotStore(session, context)
    let before = try store.required(from)
    let after: Snapshot
    if let to {
      after = try store.required(to)
    } else {
      after = try await Snapshot.take(&session, pages: pages, in: context)
    }
    let difference = SnapshotDifference(from: before, to: after)
    for part in [before, after] where !part.head.complete { context.say(Diff.incomplete(part), session) }
    return .several([.message(Diff.summary(difference, before, after)), .rows(difference.table)])
  }

  private static func summary(_ difference: SnapshotDifference, _ before: Snapshot, _ after: Snapshot) -> Message {
    let (old, new) = (label(before), label(after))
    guard !difference.rows.isEmpty else {
      return .note(
        "Nothing changed from \(old[.english]) to \(new[.english]).",
        ko: "\(old[.korean])부터 \(new[.korean])까지 바뀐 것이 없습니다.")
    }
    return .note(
      "From \(old[.english]) to \(new[.english]): \(difference.changed) changed, \(difference.added) added, \(difference.removed) removed.",
      ko:
        "\(old[.korean])부터 \(new[.korean])까지: 바뀐 상품 \(difference.changed)개, 생긴 상품 \(difference.added)개, 없어진 상품 \(difference.removed)개."
    )
  }

  private static func label(_ snapshot: Snapshot) -> Wording {
    guard let name = snapshot.name else { return Wording("now", ko: "지금") }
    return Wording(
      "\(.value(name)) (\(.dim(snapshot.head.taken)))", ko: "\(.value(name))(\(.dim(snapshot.head.taken)))")
  }

  private static func incomplete(_ snapshot: Snapshot) -> Message {
    let label = label(snapshot)
    return .warning(
      "What was seen of \(label[.english]) may not be everything: added and removed are not certain.",
      ko: "\(label[.korean]), 다 보지 못했을 수 있어 생기고 없어진 것은 확실하지 않습니다.")
  }
}
