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
  static func message(_ outcomes: [Outcome], batch: Int? = nil, now: Timestamp) -> Message {
    let earlier = outcomes.compactMap(\.earlierWrite)
    let same = outcomes.count(where: \.isUnchanged)
    let total = outcomes.count - same - earlier.count
    let fine = outcomes.count(where: \.isSuccess) - same - earlier.count
    let open = outcomes.count(where: \.canBeResumed)
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
        "In \(drifted), values that others had changed were not overwritten.",
        ko: "\(drifted)건에서는 다른 사람이 바꾼 값을 그대로 두었습니다.")
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
