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
    let earlier = outcomes.compactMap(\.earlierWrite)
    let same = outcomes.count(where: \.isUnchanged)
    let total = outcomes.count - same - earlier.count
    let partlyLeft = plan.rows.count(where: \.isAppliedInPart)
    let fine = outcomes.count(where: \.isSuccess) - same - earlier.count + partlyLeft
    let open = outcomes.count(where: \.canBeResumed)
    let ineffective = outcomes.count { if case .notApplied = $0 { true } else { false } }
    let unrecorded = outcomes.count(where: \.isUnrecorded)
    let unsent = open - ineffective + unrecorded
    let accepted = outcomes.count(where: \.isAcceptedUnread)
    let unknown = outcomes.count(where: \.isUnknown) - accepted
    let partial = outcomes.count(where: \.isPartial)
    let gone = outcomes.count { if case .createdAndGone = $0 { true } else { false } }
    let drifted = outcomes.count(where: \.isDrifted) - gone
    let failed = total - fine - open - unrecorded - unknown - accepted - partial - (drifted - partlyLeft) - gone
    var message = Message(
      fine < total || partlyLeft > 0 ? .warning : .success,
      total == 0
        ? LocalizedText("Nothing to change. Nothing was sent.", ko: "바꿀 것이 없습니다. 아무것도 보내지 않았습니다.")
        : LocalizedText(
          "\(fine) of \(total) \(total == 1 ? StyledText("change") : "changes") applied.",
          ko: "\(total)건 중 \(fine)건을 마쳤습니다."))
    if same > 0, same < outcomes.count {
      message = message.because("\(same) had nothing to change.", ko: "\(same)건은 바꿀 것이 없었습니다.")
    }
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
    if partial > 0 {
      message = message.because(
        "\(partial) \(partial == 1 ? StyledText("was") : "were") only partly applied.", ko: "\(partial)건은 일부만 적용되었습니다."
      )
    }
    if drifted > 0 {
      message = message.because(
        "In \(drifted), values that had changed in the meantime were not overwritten.",
        ko: "\(drifted)건에서는 그사이 바뀐 값을 덮어쓰지 않았습니다.")
    }
    if gone > 0 {
      message = message.because(
        "\(gone) \(gone == 1 ? StyledText("was") : "were") created before, and \(gone == 1 ? StyledText("the product does") : "the products do") not exist any more.",
        ko: "\(gone)건은 이전에 등록했지만 그 상품이 지금은 없습니다."
      ).next(
        "To create \(gone == 1 ? StyledText("it") : "them") again, add \(.command("again")) to the command.",
        ko: "다시 등록하려면 명령 끝에 \(.command("again"), .object) 붙이세요.")
    }
    if failed > 0 {
      message = message.because("\(failed) failed.", ko: "\(failed)건은 실패했습니다.")
    }
    if ineffective > 0 {
      message = message.because(
        "\(ineffective) \(ineffective == 1 ? StyledText("was") : "were") sent, but not applied.",
        ko: "\(ineffective)건은 보냈지만 적용되지 않았습니다.")
    }
    if unsent > 0 {
      message = message.because(
        "\(unsent) \(unsent == 1 ? StyledText("was") : "were") not sent.", ko: "\(unsent)건은 보내지 않았습니다.")
    }
    if accepted > 0 {
      message = message.because(
        "\(accepted) \(accepted == 1 ? StyledText("was") : "were") accepted by the server, but not read back yet.",
        ko: "\(accepted)건은 서버가 성공으로 응답했지만 아직 다시 읽지 않았습니다.")
    }
    if unknown > 0 {
      message = message.because("The outcome of \(unknown) is unknown.", ko: "\(unknown)건은 적용되었는지 알 수 없습니다.")
    }
    if open > 0 {
      message = message.next(
        "Run \(.command("resume")) to continue.", ko: "계속하려면 \(.command("resume"), .object) 실행하세요.")
    } else if unknown + accepted > 0 {
      message = message.next(
        "Run \(.command("resume")) to check, or \(.command("status")) to list them.",
        ko: "확인하려면 \(.command("resume"), .object), 목록을 보려면 \(.command("status"), .object) 실행하세요.")
    }
    if isUndo, undo != nil {
      message = message.next(
        "To apply them again, run \(.command("redo")).", ko: "다시 적용하려면 \(.command("redo"), .object) 실행하세요.")
    } else if let undo, partlyLeft > 0 || outcomes.contains(where: \.isDone) {
      message = message.next(
        "To undo, run \(.command(undo)).", ko: "되돌리려면 \(.command(undo), .object) 실행하세요.")
    }
    return message
  }
}

extension Outcome {
  /// A Boolean value that indicates that the change could not be recorded, so that `resume` doesn't know it.
  fileprivate var isUnrecorded: Bool {
    if case .journalUnavailable(_, isPending: false) = self { true } else { false }
  }

  var isUnchanged: Bool { if case .unchanged(_, nil) = self { true } else { false } }

  /// The write of an earlier run that stands for the change, or `nil` if there is none.
  var earlierWrite: EarlierWrite? { if case .unchanged(_, let write) = self { write } else { nil } }

  var isPartial: Bool {
    if case .done(_, let differences) = self { differences.isPartial } else { false }
  }

  var isDrifted: Bool { kind == .drifted }

  var isNotStored: Bool { if case .notStored = self { true } else { false } }

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
