import Catalog
import Foundation
import Journal
import Marketplace
import Networking
import Platform
import Presentation
import Text

/// The summary of a batch in one sentence, with the next step.
enum BatchSummary {
  /// Returns the summary.
  ///
  /// `batch` is the number in the log for `undo`, or `nil` if nothing was sent.
  static func message(_ outcomes: [Outcome], batch: Int? = nil) -> Message {
    let fine = outcomes.filter(\.isSuccess).count
    let open = outcomes.filter(\.canBeResumed).count
    let unknown = outcomes.filter(\.isUnknown).count
    let partial = outcomes.count(where: \.isPartial)
    let drifted = outcomes.count(where: \.isDrifted)
    let failed = outcomes.count - fine - open - unknown - partial - drifted
    let same = outcomes.count(where: \.isUnchanged)
    var message = Message(
      fine < outcomes.count ? .warning : .success,
      LocalizedText("\(fine) of \(outcomes.count) changes applied.", ko: "\(outcomes.count)건 중 \(fine)건을 마쳤습니다."))
    if same > 0 {
      message = message.because("\(same) had nothing to change.", ko: "그중 \(same)건은 바꿀 것이 없었습니다.")
    }
    let before = outcomes.count(where: \.wasMadeBefore)
    if before > 0 {
      message = message.because(
        "\(before) of them \(before == 1 ? StyledText("was") : "were") applied before.",
        ko: "그중 \(before)건은 이전에 적용되었습니다."
      ).next(
        "To apply them again, add \(.command("again")) to the command.",
        ko: "다시 적용하려면 명령 끝에 \(.command("again"), .object) 붙이세요.")
    }
    if let lied = outcomes.first(where: \.isNotStored)?.detail {
      message = message.because(lied)
    }
    if partial > 0 {
      message = message.because(
        "\(partial) \(partial == 1 ? StyledText("was") : "were") only partly applied.", ko: "\(partial)건은 일부만 적용되었습니다."
      )
    }
    if drifted > 0 {
      message = message.because(
        "In \(drifted), what others had changed meanwhile was left alone.",
        ko: "\(drifted)건에서는 다른 곳에서 바뀐 값을 그대로 두었습니다.")
    }
    if failed > 0 {
      message = message.because("\(failed) failed.", ko: "\(failed)건은 실패했습니다.")
    }
    if open > 0 {
      message = message.because(
        "\(open) \(open == 1 ? StyledText("was") : "were") not sent.", ko: "\(open)건은 보내지 않았습니다."
      )
      .next("Run \(.command("resume")) to continue.", ko: "계속하려면 \(.command("resume"), .object) 실행하세요.")
    }
    if unknown > 0 {
      message = message.because(
        "The outcome of \(unknown) is unknown.", ko: "\(unknown)건은 적용되었는지 알 수 없습니다."
      ).next(
        "Run \(.command("status")) to list them, or \(.command("resume")) to check them.",
        ko: "\(.command("status"))에서 볼 수 있고, \(.command("resume"), .toward) 확인할 수 있습니다.")
    }
    if let batch, outcomes.contains(where: \.isDone) {
      message = message.next(
        "To undo, run \(.command("undo batch \(batch)")).",
        ko: "되돌리려면 \(.command("undo batch \(batch)"), .object) 실행하세요.")
    }
    return message
  }
}

extension Outcome {
  fileprivate var end: WriteReceipt.End {
    switch self {
    case .done: .done
    case .unchanged: .unchanged
    case .refused: .refused
    case .notSent, .aborted, .journalUnavailable, .locked: .notSent
    case .notApplied, .notStored: .notApplied
    case .unknown, .needsDecision, .unrecorded: .unknown
    case .notStarted: .skipped
    case .conflicted: .drifted
    }
  }

  fileprivate var isUnchanged: Bool { if case .unchanged(_, nil) = self { true } else { false } }

  fileprivate var wasMadeBefore: Bool { if case .unchanged(_, .some) = self { true } else { false } }

  fileprivate var isPartial: Bool {
    if case .done(_, let differences) = self { differences.isPartial } else { false }
  }

  fileprivate var isDrifted: Bool { if case .conflicted = self { true } else { false } }

  fileprivate var isNotStored: Bool { if case .notStored = self { true } else { false } }

  /// A Boolean value that indicates that the write was sent and applied.
  var isDone: Bool {
    if case .done = self { true } else { false }
  }
}

/// The table of a batch with one row per target: `id`, `outcome` and `detail` for programs; id, name and changes for a
/// user at a terminal.
package enum BatchTable {
  /// Returns both tables, created when they are shown, with the summary.
  ///
  /// `returned` contains the previous ids of restored products, by index of the change.
  package static func report(
    _ plan: Plan, _ outcomes: [Outcome], returned: [Int: Product.ID] = [:], summary: Message?
  ) -> Report {
    let targets = Rows(plan, outcomes)
    let rows = WriteReceipt.Rows(targets.count) { receipt(targets[$0], returned) }
    return .receipt(
      WriteReceipt(rows, isBatch: true, summary: summary) {
        let table = Report.rows(table(targets, returned))
        return summary.map { .group([table, .message($0)]) } ?? table
      })
  }

  /// The targets in the order of the plan, as far as they have an outcome.
  private struct Rows: Sendable {
    enum Slot {
      case unchanged(Product, EarlierWrite?)
      case changed(Int, Change, Outcome)
    }

    private let plan: Plan
    private let outcomes: [Outcome]
    /// The index of the change for each target, or `nil` for a target that was already as wanted.
    private let places: [Int?]

    var count: Int { places.count }

    init(_ plan: Plan, _ outcomes: [Outcome]) {
      self.plan = plan
      self.outcomes = outcomes
      var changes = 0
      places = (0..<outcomes.count + plan.unchanged.count).map { place in
        guard plan.unchanged[place] == nil else { return nil }
        defer { changes += 1 }
        return changes
      }
    }

    subscript(place: Int) -> Slot {
      if let product = plan.unchanged[place] { return .unchanged(product, plan.earlier[place]) }
      let index = places[place] ?? 0
      return .changed(index, plan.changes[index], outcomes[index])
    }
  }

  private static func receipt(_ target: Rows.Slot, _ returned: [Int: Product.ID]) -> WriteReceipt.Row {
    switch target {
    case .unchanged(let product, let earlier):
      return .init(
        id: product.id, name: product.name, change: nil, product: product, end: .unchanged,
        detail: earlier.map { SettledWords.detail($0) })
    case .changed(let index, let change, let outcome):
      let now = returned[index].flatMap { old in
        outcome.product.map { LocalizedText("now product \($0.id) (was \(old))", ko: "새 번호 \($0.id)(이전 \(old))") }
      }
      return .init(
        id: change.product?.id ?? outcome.product?.id, name: change.name, change: change, product: outcome.product,
        end: outcome.end, detail: outcome.detail ?? now)
    }
  }

  private static func table(_ targets: Rows, _ returned: [Int: Product.ID]) -> Table {
    var words: [String: Table.Cell] = [:]
    func row(_ id: Product.ID?, _ outcome: Outcome, _ now: LocalizedText? = nil) -> [Table.Cell] {
      let word = words[outcome.batchStatusWord] ?? .localized(outcome.words)
      words[outcome.batchStatusWord] = word
      return [id.map { .number($0) } ?? .none, word, (outcome.detail ?? now).map { .localized($0) } ?? .none]
    }
    let rows = (0..<targets.count).map { place in
      switch targets[place] {
      case .unchanged(let product, let earlier): return row(product.id, .unchanged(product, earlier: earlier))
      case .changed(let index, let change, let outcome):
        guard let old = returned[index] else { return row(change.product?.id ?? outcome.product?.id, outcome) }
        let now = outcome.product.map { LocalizedText("now product \($0.id)", ko: "이제 \($0.id)번 상품") }
        return row(old, outcome, now)
      }
    }
    return Table(
      [
        .init("id", LocalizedText("id", ko: "번호"), isNumber: true),
        .init("outcome", LocalizedText("outcome", ko: "결과")),
        .init("detail", LocalizedText("detail", ko: "내용")),
      ], rows: rows)
  }
}

/// The progress of a batch: done, total, rate, remaining time.
struct BatchProgress {
  private let total: Int
  private let start: Date
  private var finished = 0
  private var failed = 0
  private var shown = Date.distantPast

  init(total: Int, start: Date) {
    self.total = total
    self.start = start
  }

  mutating func count(_ outcome: Outcome) {
    finished += 1
    if outcome.isFailure { failed += 1 }
  }

  /// Returns the status line, or `nil` if the last one is younger than a tenth of a second.
  mutating func statusLine(at now: Date, doubtful: Int) -> LocalizedText? {
    guard now.timeIntervalSince(shown) >= 0.1 else { return nil }
    shown = now
    let seconds = max(now.timeIntervalSince(start), 0.001)
    let rate = Double(finished) / seconds
    let speed = rate >= 10 ? String(Int(rate.rounded())) : String((rate * 10).rounded() / 10)
    let left = rate > 0 ? Int((Double(total - finished) / rate).rounded(.up)) : 0
    var english = "\(finished)/\(total), \(speed)/s, \(left) s left"
    var korean = "\(finished)/\(total), 초당 \(speed)건, \(left)초 남음"
    if failed > 0 {
      english += ", \(failed) failed"
      korean += ", 실패 \(failed)건"
    }
    if doubtful > 0 {
      english += ", \(doubtful) unknown"
      korean += ", 결과 미확인 \(doubtful)건"
    }
    return LocalizedText("\(english)", ko: "\(korean)")
  }
}

extension Report {
  /// Reports the outcome of each verdict in order, after the changes were written.
  ///
  /// - Parameters:
  ///   - verdicts: The verdicts.
  ///   - plan: The changes that were written.
  ///   - outcomes: The outcomes of `plan`.
  ///   - market: The client.
  ///   - session: The session, which is updated.
  ///   - execution: The state of the command.
  ///   - context: The dependencies.
  /// - Returns: The report.
  /// - Throws: `CommandError`, `JournalError`.
  package static func verdicts(
    _ verdicts: [RevalidatedChange], _ plan: Plan, _ outcomes: [Outcome], at market: Client<MarketService>,
    _ session: inout Session, _ execution: inout Execution, in context: CommandContext
  ) async throws -> Report {
    let reporter = PlanExecutor(market, context)
    if verdicts.count == 1, outcomes.count == 1, !verdicts[0].isDrifted {
      return try await reporter.report(plan, outcomes, into: &session, &execution)
    }
    for case .unchanged(let product, let write?) in verdicts.map(\.outcome) {
      reporter.take(write, product, into: &session)
    }
    // This updates the session; the rows are those of all verdicts.
    if !outcomes.isEmpty { _ = try? await reporter.report(plan, outcomes, into: &session, &execution) }
    var rest = outcomes[...]
    let whole = verdicts.map { $0.combinedOutcome($0.change == nil ? nil : rest.popFirst()) }
    if whole.contains(where: { !$0.isSuccess }) { execution.ending = .partialFailure }
    return BatchTable.report(
      Plan(verdicts.map(\.planned)), whole,
      summary: BatchSummary.message(whole, batch: reporter.batch(plan, outcomes)))
  }
}
