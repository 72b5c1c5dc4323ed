import Catalog
import Presentation
import Text
import WriteJournal

/// The summary of a batch in one sentence, with the next step.
enum BatchSummary {
  /// Returns the summary.
  ///
  /// The first sentence counts the changes that were asked for now; products that had nothing to change and what an
  /// earlier run had done are counted apart. `batch` is the number in the log for `undo`, or `nil` if nothing was sent.
  /// `isUndo` indicates that the batch is an undo itself, which `redo` reverts.
  static func message(_ outcomes: [Outcome], batch: Int? = nil, isUndo: Bool = false, now: Timestamp) -> Message {
    let earlier = outcomes.compactMap(\.earlierWrite)
    let same = outcomes.count(where: \.isUnchanged)
    let total = outcomes.count - same - earlier.count
    let fine = outcomes.count(where: \.isSuccess) - same - earlier.count
    let open = outcomes.count(where: \.canBeResumed)
    let ineffective = outcomes.count { if case .notApplied = $0 { true } else { false } }
    let unsent = open - ineffective
    let unknown = outcomes.count(where: \.isUnknown)
    let partial = outcomes.count(where: \.isPartial)
    let drifted = outcomes.count(where: \.isDrifted)
    let failed = total - fine - open - unknown - partial - drifted
    var message = Message(
      fine < total ? .warning : .success,
      total == 0
        ? LocalizedText("Nothing to change. Nothing was sent.", ko: "바꿀 것이 없습니다. 아무것도 보내지 않았습니다.")
        : LocalizedText(
          "\(fine) of \(total) \(total == 1 ? StyledText("change") : "changes") applied.",
          ko: "\(total)건 중 \(fine)건을 마쳤습니다."))
    if same > 0, same < outcomes.count {
      message = message.because("\(same) had nothing to change.", ko: "\(same)건은 바꿀 것이 없었습니다.")
    }
    for text in EarlierWriteMessages.counts(earlier, now: now) { message = message.because(text) }
    if !earlier.isEmpty {
      message = message.next(
        "To apply \(earlier.count == 1 ? StyledText("it") : "them") again, add \(.command("again")) to the command.",
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
    if unknown > 0 {
      message = message.because("The outcome of \(unknown) is unknown.", ko: "\(unknown)건은 적용되었는지 알 수 없습니다.")
    }
    if open > 0 {
      message = message.next(
        "Run \(.command("resume")) to continue.", ko: "계속하려면 \(.command("resume"), .object) 실행하세요.")
    } else if unknown > 0 {
      message = message.next(
        "Run \(.command("resume")) to check, or \(.command("status")) to list them.",
        ko: "확인하려면 \(.command("resume"), .object), 목록을 보려면 \(.command("status"), .object) 실행하세요.")
    }
    if isUndo, batch != nil {
      message = message.next(
        "To apply them again, run \(.command("redo")).", ko: "다시 적용하려면 \(.command("redo"), .object) 실행하세요.")
    } else if let batch, outcomes.contains(where: \.isDone) {
      message = message.next(
        "To undo, run \(.command("undo batch \(batch)")).",
        ko: "되돌리려면 \(.command("undo batch \(batch)"), .object) 실행하세요.")
    }
    return message
  }
}
