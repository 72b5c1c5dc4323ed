import Presentation
import Text
import WriteJournal

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
