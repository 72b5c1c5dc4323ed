import Text

/// The kind of outcome of a change, in the words of the log, of batches and of data.
package enum OutcomeKind: String, Hashable, Sendable, CaseIterable {
  case done
  case unchanged
  case refused
  case notSent = "not-sent"
  case notApplied = "not-applied"
  case unknown
  case skipped
  case drifted

  /// The word in both languages; the English one is that of data.
  package var words: LocalizedText { LocalizedText(StyledText(rawValue), ko: phrase.korean) }

  /// The words for users at a terminal.
  package var phrase: LocalizedText {
    switch self {
    case .done: LocalizedText("done", ko: "완료")
    case .unchanged: LocalizedText("nothing to change", ko: "변경 없음")
    case .refused: LocalizedText("refused", ko: "거부됨")
    case .notSent: LocalizedText("not sent", ko: "전송 안 됨")
    case .notApplied: LocalizedText("not applied", ko: "적용 안 됨")
    case .unknown: LocalizedText("unknown", ko: "결과 미확인")
    case .skipped: LocalizedText("not started", ko: "시작 안 함")
    case .drifted: LocalizedText("changed by others", ko: "외부 변경")
    }
  }
}
