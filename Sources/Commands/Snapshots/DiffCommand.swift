import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
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
        "FROM", .positional(required: false), kind: .snapshot,
        summary: LocalizedText("snapshot name (default: the latest)", ko: "스냅샷 이름(기본: 최신)")),
      Parameter(
        "TO", .positional(required: false), kind: .snapshot,
        summary: LocalizedText("later snapshot (default: the current state)", ko: "나중 스냅샷; 없으면 현재")),
      .pages, .failOn,
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
  private let failOn: FailOnCondition?

  package init(_ invocation: ParsedCommand) {
    from = invocation.text("FROM")
    to = invocation.text("TO")
    pages = invocation.number("pages")
    failOn = invocation.text(FailOnCondition.option).flatMap { FailOnCondition(rawValue: $0) }
  }

  /// - Throws: `CommandError` for an unknown snapshot; the errors that cut the reading short.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let market = try await scope.marketClient()
    let saved = try await SavedVersions(in: &scope)
    let watch = MarketWatch(scope.session.server, at: market.service.baseURL)
    var before = try saved.snapshot(from, of: scope.session, in: scope.context.stores)
    let after: Snapshot
    if let to {
      after = try saved.snapshot(to, of: scope.session, in: scope.context.stores)
    } else {
      after = try await Snapshot.take(from: market, pages: pages, in: scope)
      // The market was reset since its last response.
      if watch.isOtherMarket {
        before = try await SavedVersions(in: &scope).snapshot(from, of: scope.session, in: scope.context.stores)
      }
      if after.isComplete { scope.recordSnapshot(after.products) }
    }
    let differences = DiffCommand.differences(from: before, to: after)
    for part in [before, after] where !part.isComplete { scope.say(DiffCommand.incomplete(part)) }
    return CommandResult(
      .group([.message(DiffCommand.summary(differences, before: before, after: after)), .rows(Table(differences))]),
      status: failOn?.isMet(by: differences) == true
        ? .drift : before.isComplete && after.isComplete ? .success : .partialFailure)
  }

  /// The fields that vendors change.
  ///
  /// Times and derived fields would repeat the same changes.
  private static let compared = ProductField.allCases.filter { $0.isWritable || $0 == .vendor }

  /// Returns the differences in the order of product ids.
  private static func differences(from before: Snapshot, to after: Snapshot) -> [ProductDifference] {
    let then = Dictionary(before.products.map { ($0.id, $0) }) { first, _ in first }
    let now = Dictionary(after.products.map { ($0.id, $0) }) { first, _ in first }
    return Set(then.keys).union(now.keys).sorted().flatMap { ProductDifference.of(then[$0], now[$0], in: compared) }
  }

  private static func summary(_ differences: [ProductDifference], before: Snapshot, after: Snapshot) -> Message {
    let (old, new) = (label(before), label(after))
    guard !differences.isEmpty else {
      return .note(
        "No changes from \(old[.english]) to \(new[.english]).",
        ko: "\(old[.korean])부터 \(new[.korean])까지 바뀐 것이 없습니다.")
    }
    let added = differences.count { $0.kind == .added }
    let removed = differences.count { $0.kind == .removed }
    let changed = Set(differences.compactMap { ($0.after ?? $0.before)?.id }).count - added - removed
    return .note(
      "From \(old[.english]) to \(new[.english]): \(changed) changed, \(added) added, \(removed) removed.",
      ko:
        "\(old[.korean])부터 \(new[.korean])까지: 변경된 상품 \(changed)개, 새 상품 \(added)개, 사라진 상품 \(removed)개."
    )
  }

  private static func label(_ snapshot: Snapshot) -> LocalizedText {
    guard let name = snapshot.name else { return LocalizedText("now", ko: "지금") }
    let time = LocalTime(snapshot.takenAt).description
    return LocalizedText("\(.value(name)) (\(.dim(time)))", ko: "\(.value(name))(\(.dim(time)))")
  }

  private static func incomplete(_ snapshot: Snapshot) -> Message {
    let label = label(snapshot)
    return .warning(
      "\(label[.english]) may be incomplete, so added and removed products are not certain.",
      ko: "\(label[.korean]) 목록을 다 읽지 못했을 수 있어 새 상품과 사라진 상품은 확실하지 않습니다.")
  }
}
