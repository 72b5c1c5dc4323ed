import Catalog
import Journal
import Presentation
import Text

/// How a batch ended, in a sentence, and how to go on.
enum BatchSummary {
  /// - Parameter batch: its number in the log, by which `undo` takes it back; nil where nothing was sent.
  static func message(_ outcomes: [Outcome], batch: Int? = nil) -> Message {
    let fine = outcomes.filter(\.isFine).count
    let open = outcomes.filter(\.canBeResumed).count
    let unknown = outcomes.filter(\.isUnknown).count
    let failed = outcomes.count - fine - open - unknown
    let same = outcomes.count(where: \.isUnchanged)
    var message = Message(
      fine < outcomes.count ? .warning : .success,
      Wording("\(fine) of \(outcomes.count) done.", ko: "\(outcomes.count)건 가운데 \(fine)건을 마쳤습니다."))
    if same > 0 {
      message = message.because("\(same) of them had nothing to change.", ko: "그 가운데 \(same)건은 바꿀 것이 없었습니다.")
    }
    if let lied = outcomes.first(where: \.isNotStored)?.detail {
      message = message.because(lied)
    }
    if failed > 0 {
      message = message.because("\(failed) could not be made.", ko: "\(failed)건은 하지 못했습니다.")
    }
    if open > 0 {
      message = message.because(
        "\(open) \(open == 1 ? StyledText("was") : "were") not sent.", ko: "\(open)건은 보내지 않았습니다."
      )
      .next("\(.command("resume")) goes on with them.", ko: "\(.command("resume"))으로 이어서 합니다.")
    }
    if unknown > 0 {
      message = message.because(
        "Of \(unknown) it is not known whether they took effect.", ko: "\(unknown)건은 적용되었는지 알 수 없습니다."
      ).next(
        "\(.command("status")) lists them, \(.command("resume")) finds out.",
        ko: "\(.command("status"))에서 보고 \(.command("resume"))으로 알아냅니다.")
    }
    if let batch, outcomes.contains(where: \.isDone) {
      message = message.next(
        "\(.command("undo batch \(batch)")) takes it back.", ko: "\(.command("undo batch \(batch)"))로 되돌릴 수 있습니다.")
    }
    return message
  }
}

extension Outcome {
  fileprivate var isUnchanged: Bool {
    if case .unchanged = self { true } else { false }
  }

  fileprivate var isNotStored: Bool {
    if case .notStored = self { true } else { false }
  }

  /// It was sent and took effect.
  var isDone: Bool {
    if case .done = self { true } else { false }
  }

  /// `resume` would make it.
  fileprivate var canBeResumed: Bool {
    switch self {
    case .notSent, .cutShort, .noJournal, .held, .notApplied, .skipped: true
    case .done, .unchanged, .refused, .notStored, .unknown, .drifted, .asked: false
    }
  }

  fileprivate var isUnknown: Bool {
    switch self {
    case .unknown, .asked: true
    case .done, .unchanged, .refused, .notSent, .cutShort, .noJournal, .held, .notApplied, .notStored, .skipped,
      .drifted:
      false
    }
  }
}
