import Catalog
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The summary of a batch in one sentence, with the next step.
enum BatchSummary {
  /// Returns the summary.
  ///
  /// The first sentence counts the changes that were asked for now; products that had nothing to change and what an
  /// earlier run had done are counted apart. `undo` is the line that undoes it, or `nil` if nothing was done.
  /// `isUndo` indicates that the batch is an undo itself, which `redo` reverts.
  static func message(_ plan: Plan, undo: String? = nil, isUndo: Bool = false) -> Message {
    let outcomes = plan.rows.map(\.result)
    let counts = Dictionary(plan.rows.map { (Part($0), 1) }, uniquingKeysWith: +)
    func count(_ parts: Part...) -> Int { parts.reduce(0) { $0 + counts[$1, default: 0] } }
    let total = outcomes.count - count(.unchanged, .earlier)
    let applied = count(.applied, .appliedInPart)
    var message = Message(
      applied < total || count(.appliedInPart) > 0 ? .warning : .success,
      total == 0
        ? LocalizedText("Nothing to change. Nothing was sent.", ko: "바꿀 것이 없습니다. 아무것도 보내지 않았습니다.")
        : LocalizedText(
          "\(applied) of \(total) \(total == 1 ? StyledText("change") : "changes") applied.",
          ko: "\(total)건 중 \(applied)건을 마쳤습니다."))
    let same = count(.unchanged)
    if same > 0, same < outcomes.count {
      message = message.because("\(same) had nothing to change.", ko: "\(same)건은 바꿀 것이 없었습니다.")
    }
    let earlier = outcomes.compactMap { if case .unchanged(_, let write) = $0 { write } else { nil } }
    for text in EarlierWriteMessages.counts(earlier) { message = message.because(text) }
    let made = earlier.count { $0.reason != .delete }
    if made > 0 {
      message = message.next(
        "To apply \(made == 1 ? StyledText("it") : "them") again, add \(.command("again")) to the command.",
        ko: "다시 적용하려면 명령 끝에 \(.command("again"), .object) 붙이세요.")
    }
    if let lied = outcomes.first(where: \.isNotStored)?.detail {
      message = message.because(lied)
    }
    for part in Part.allCases {
      let count = part == .drifted ? count(.drifted, .appliedInPart) : count(part)
      if count > 0, let sentence = part.sentence(count) { message = message.because(sentence) }
    }
    if count(.gone) > 0 {
      message = message.next(
        "To create \(count(.gone) == 1 ? StyledText("it") : "them") again, add \(.command("again")) to the command.",
        ko: "다시 등록하려면 명령 끝에 \(.command("again"), .object) 붙이세요.")
    }
    if outcomes.contains(where: \.canBeResumed) {
      message = message.next(
        "Run \(.command("resume")) to continue.", ko: "계속하려면 \(.command("resume"), .object) 실행하세요.")
    } else if count(.unknown, .accepted) > 0 {
      message = message.next(
        "Run \(.command("resume")) to check, or \(.command("status")) to list them.",
        ko: "확인하려면 \(.command("resume"), .object), 목록을 보려면 \(.command("status"), .object) 실행하세요.")
    }
    if isUndo, undo != nil {
      message = message.next(
        "To apply them again, run \(.command("redo")).", ko: "다시 적용하려면 \(.command("redo"), .object) 실행하세요.")
    } else if let undo, count(.appliedInPart) > 0 || outcomes.contains(where: \.isDone) {
      message = message.next(
        "To undo, run \(.command(undo)).", ko: "되돌리려면 \(.command(undo), .object) 실행하세요.")
    }
    return message
  }

  /// The result of a row as the summary counts it, in the order of the sentences.
  private enum Part: CaseIterable {
    case unchanged
    /// Applied by an earlier run.
    case earlier
    case applied
    /// Applied except in fields that others changed.
    case appliedInPart
    /// Sent, but some fields have their previous value.
    case partial
    case drifted
    case gone
    case failed
    case notApplied
    case notSent
    /// Confirmed by the server and not read.
    case accepted
    case unknown

    init(_ row: Plan.Row) {
      guard !row.isAppliedInPart else {
        self = .appliedInPart
        return
      }
      switch row.result {
      case .done(_, let differences): self = differences.isPartial ? .partial : .applied
      case .unchanged(_, let earlier): self = earlier == nil ? .unchanged : .earlier
      case .refused, .notStored: self = .failed
      case .notApplied: self = .notApplied
      case .notSent, .aborted, .journalUnavailable, .locked, .notStarted: self = .notSent
      case .drifted, .otherProduct: self = .drifted
      case .createdAndGone: self = .gone
      case .unknown, .needsDecision, .unrecorded: self = row.result.isAcceptedUnread ? .accepted : .unknown
      }
    }

    /// Returns the sentence about a number of rows, or `nil` for a part that has none of its own.
    func sentence(_ count: Int) -> LocalizedText? {
      let were: StyledText = count == 1 ? "was" : "were"
      return switch self {
      case .unchanged, .earlier, .applied, .appliedInPart: nil
      case .partial: LocalizedText("\(count) \(were) only partly applied.", ko: "\(count)건은 일부만 적용되었습니다.")
      case .drifted:
        LocalizedText(
          "In \(count), values that had changed in the meantime were not overwritten.",
          ko: "\(count)건에서는 그사이 바뀐 값을 덮어쓰지 않았습니다.")
      case .gone:
        LocalizedText(
          "\(count) \(were) created before, and \(count == 1 ? StyledText("the product does") : "the products do") not exist any more.",
          ko: "\(count)건은 이전에 등록했지만 그 상품이 지금은 없습니다.")
      case .failed: LocalizedText("\(count) failed.", ko: "\(count)건은 실패했습니다.")
      case .notApplied:
        LocalizedText("\(count) \(were) sent, but not applied.", ko: "\(count)건은 보냈지만 적용되지 않았습니다.")
      case .notSent: LocalizedText("\(count) \(were) not sent.", ko: "\(count)건은 보내지 않았습니다.")
      case .accepted:
        LocalizedText(
          "\(count) \(were) accepted by the server, but not read back yet.",
          ko: "\(count)건은 서버가 성공으로 응답했지만 아직 다시 읽지 않았습니다.")
      case .unknown:
        LocalizedText("The outcome of \(count) is unknown.", ko: "\(count)건은 적용되었는지 알 수 없습니다.")
      }
    }
  }
}

extension Outcome {
  fileprivate var isNotStored: Bool { if case .notStored = self { true } else { false } }

  /// A Boolean value that indicates that the write was sent and applied.
  var isDone: Bool { kind == .done }
}

extension Plan {
  /// The exit status of a batch: that of an unknown outcome comes first, which needs `resume` before anything else.
  var batchStatus: ExitStatus {
    if rows.contains(where: { $0.result.isUnknown }) { return .outcomeUnknown }
    return rows.allSatisfy { $0.result.isSuccess } ? .success : .partialFailure
  }
}

/// The table of a batch with one row per target: `id`, `outcome` and `detail` for programs; id, name and changes for a
/// user at a terminal.
package enum BatchTable {
  /// Returns both tables, created when they are shown, with the summary.
  package static func report(_ plan: Plan, summary: Message?) -> Report {
    let rows = WriteReceipt.Rows(plan.rows.count) { receipt(plan.rows[$0]) }
    return .receipt(
      WriteReceipt(rows, isBatch: true, summary: summary) {
        let table = Report.rows(table(plan))
        return summary.map { .group([table, .message($0)]) } ?? table
      })
  }

  private static func receipt(_ row: Plan.Row) -> WriteReceipt.Row {
    let outcome = row.result
    let now = row.returned.flatMap { old in
      outcome.product.map { LocalizedText("now product \($0.id) (was \(old))", ko: "새 번호 \($0.id)(이전 \(old))") }
    }
    return .init(
      id: row.planned.product?.id ?? outcome.product?.id, name: row.planned.name, change: row.planned,
      product: outcome.product, outcome: outcome.kind, detail: detail(row) ?? now)
  }

  /// Returns the reason for the outcome of a row, or `nil` if there is none.
  private static func detail(_ row: Plan.Row) -> LocalizedText? {
    guard row.isAppliedInPart else { return row.result.detail }
    let fields = row.skippedFields.map(\.title)
    return LocalizedText(
      "Applied, but for what changed in the meantime: \(fields.map(\.english.plain).joined(separator: ", "))",
      ko: "적용했습니다. 그사이 바뀌어 뺀 필드: \(fields.map(\.korean.plain).joined(separator: ", "))")
  }

  private static func table(_ plan: Plan) -> Table {
    var words: [OutcomeKind: Table.Cell] = [:]
    let rows = plan.rows.map { row -> [Table.Cell] in
      let outcome = row.result
      let word = words[outcome.kind] ?? .localized(outcome.kind.words)
      words[outcome.kind] = word
      let id = row.returned ?? row.planned.product?.id ?? outcome.product?.id
      let now = row.returned.flatMap { _ in
        outcome.product.map { LocalizedText("now product \($0.id)", ko: "이제 \($0.id)번 상품") }
      }
      return [id.map { .number($0) } ?? .none, word, (detail(row) ?? now).map { .localized($0) } ?? .none]
    }
    return Table(
      [
        .init("id", LocalizedText("id", ko: "번호"), isNumber: true),
        .init("outcome", LocalizedText("outcome", ko: "결과")),
        .init("detail", LocalizedText("detail", ko: "내용")),
      ], rows: rows)
  }
}
