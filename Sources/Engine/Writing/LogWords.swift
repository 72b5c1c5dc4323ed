import Journal
import Text

/// What the log and batches call a write and its outcome. Data keeps the English words of the language; a person reads
/// them in the own tongue.
extension Entry.Action {
  package var words: LocalizedText {
    let korean: StyledText =
      switch self {
      case .create: "등록"
      case .patch: "변경"
      case .delete: "삭제"
      case .raw: "raw 요청"
      }
    return LocalizedText(StyledText(rawValue), ko: korean)
  }
}

extension Entry.Result {
  package var words: LocalizedText {
    let korean: StyledText =
      switch self {
      case .done: "완료"
      case .refused: "거절됨"
      case .notSent: "미전송"
      case .notApplied: "미적용"
      case .unknown: "결과 미확인"
      case .undone: "되돌림"
      }
    return LocalizedText(StyledText(rawValue), ko: korean)
  }
}

extension Outcome {
  package var words: LocalizedText {
    let korean: StyledText =
      switch self {
      case .done: "완료"
      case .unchanged: "변경 없음"
      case .refused: "거절됨"
      case .notSent, .cutShort, .noJournal, .held, .notApplied: "미전송"
      case .notStored: "미적용"
      case .unknown, .asked: "결과 미확인"
      case .skipped: "건너뜀"
      case .drifted: "외부 변경"
      }
    return LocalizedText(StyledText(batchWord), ko: korean)
  }

  /// What was sent and proven not applied is, for a batch, as good as not sent: `resume` makes it.
  private var batchWord: String {
    if case .notApplied = self { return "not-sent" }
    return word
  }
}
