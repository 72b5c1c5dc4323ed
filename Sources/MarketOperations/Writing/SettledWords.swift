import Catalog
import Presentation
import Text
import WriteJournal

/// The texts about writes that an earlier command made.
package enum SettledWords {
  /// Returns a message about a write that an interrupted command left pending and a later one resolved.
  package static func message(_ settled: RecoveredWrite) -> Message {
    let entry = settled.entry
    guard case .done(let product, _) = settled.outcome else {
      let message = Message.note(
        "Checked log entry \(entry) of an interrupted command. Outcome: \(settled.outcome.label).",
        ko: "중단된 명령의 로그 \(entry)번을 확인했습니다. 결과: \(settled.outcome.words.korean)")
      return settled.outcome.detail.map { message.because($0) } ?? message
    }
    let id = product?.id ?? settled.change.product?.id ?? 0
    switch settled.change {
    case .create:
      return .note(
        "Product \(id) was created by the interrupted command (log entry \(entry)).",
        ko: "중단된 명령이 \(id)번 상품을 등록했습니다(로그 \(entry)번).")
    case .edit:
      return .note(
        "Product \(id) was updated by the interrupted command (log entry \(entry)).",
        ko: "중단된 명령이 \(id)번 상품을 수정했습니다(로그 \(entry)번).")
    case .delete:
      return .note(
        "Product \(id) was deleted by the interrupted command (log entry \(entry)).",
        ko: "중단된 명령이 \(id)번 상품을 삭제했습니다(로그 \(entry)번).")
    }
  }

  /// Returns the reason why nothing is sent for a change, and the option that sends it anyway.
  package static func message(_ write: EarlierWrite, now: Timestamp) -> Message {
    let hint = LocalizedText(
      "To apply it again, add \(.command("again")) to the command.",
      ko: "다시 적용하려면 명령 끝에 \(.command("again"), .object) 붙이세요.")
    let product = write.product
    switch write.reason {
    case .interruption where write.isCreate:
      let time = time(write.reason, now: now)
      return Message.note(
        "It was created by the command that was interrupted at \(time): product \(product). Nothing was sent.",
        ko: "\(time)에 중단된 명령이 등록한 상품: \(product)번. 아무것도 보내지 않았습니다."
      ).next(hint)
    case .plan where write.isCreate:
      return Message.note(
        "It was applied before, as product \(product). Nothing was sent.",
        ko: "이전에 \(product)번 상품으로 적용되었습니다. 아무것도 보내지 않았습니다."
      ).next(hint)
    case .line where write.isCreate:
      return Message.note(
        "It was created before, as product \(product). Nothing was sent.",
        ko: "이전에 \(product)번 상품으로 등록되었습니다. 아무것도 보내지 않았습니다."
      ).next(hint)
    case .plan:
      return Message.note(
        "It was applied before (log entry \(write.entry)). Nothing was sent.",
        ko: "이미 적용되었습니다(로그 \(write.entry)번). 아무것도 보내지 않았습니다."
      ).next(hint)
    case .line, .interruption:
      return Message.note(
        "It was done before (log entry \(write.entry)). Nothing was sent.",
        ko: "이미 처리되었습니다(로그 \(write.entry)번). 아무것도 보내지 않았습니다."
      ).next(hint)
    }
  }

  /// Returns the reason for a cell of a batch's table.
  static func detail(_ write: EarlierWrite) -> LocalizedText {
    let product = write.product
    switch write.reason {
    case .interruption where write.isCreate:
      return LocalizedText(
        "created by the command that was interrupted: product \(product)", ko: "중단된 명령이 등록한 상품: \(product)번")
    case .plan where write.isCreate:
      return LocalizedText("applied before as \(product)", ko: "이전에 \(product)번으로 적용됨")
    case .line where write.isCreate:
      return LocalizedText("created before as \(product)", ko: "이전에 \(product)번으로 등록됨")
    case .plan: return LocalizedText("applied before (log entry \(write.entry))", ko: "이미 적용됨(로그 \(write.entry)번)")
    case .line, .interruption:
      return LocalizedText("done before (log entry \(write.entry))", ko: "이미 처리됨(로그 \(write.entry)번)")
    }
  }

  /// Returns the time of the interruption in local time: `07:07`, with the date if it was more than half a day ago.
  package static func time(_ reason: EarlierWrite.Reason, now: Timestamp) -> String {
    guard case .interruption(let moment) = reason else { return "" }
    let local = Timestamp(
      seconds: moment.seconds + (LocalTimeZone(at: moment.seconds)?.secondsFromGMT ?? 0), isUTC: false)
    let text = local.displayDescription.prefix(16)
    return String(abs(now.seconds - moment.seconds) < 43_200 ? text.dropFirst(11) : text)
  }
}
