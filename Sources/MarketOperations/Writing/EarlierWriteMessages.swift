import Catalog
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The messages about writes that an earlier command made.
package enum EarlierWriteMessages {
  /// Returns a message about a write that an interrupted command left pending and a later one resolved.
  package static func message(_ settled: RecoveredWrite) -> Message {
    let entry = settled.entry
    guard case .done(let product, _) = settled.outcome else {
      let (subject, words) = (settled.change.subject, settled.outcome.kind.words)
      let message = Message.note(
        "Checked log entry \(entry) of an interrupted command, \(subject.english). Outcome: \(words.english).",
        ko: "중단된 명령의 로그 \(entry)번(\(subject.korean))을 확인했습니다. 결과: \(words.korean)")
      return settled.outcome.detail.map { message.because($0) } ?? message
    }
    let id = product?.id ?? settled.change.product?.id ?? 0
    let name = settled.change.name.map { " \"\(.foreign($0))\"" as StyledText } ?? ""
    switch settled.change {
    case .create:
      return .note(
        "Product \(id)\(name) was created by the interrupted command (log entry \(entry)).",
        ko: "중단된 명령이 상품을 등록했습니다: \(id)번\(name)(로그 \(entry)번).")
    case .edit:
      return .note(
        "Product \(id)\(name) was updated by the interrupted command (log entry \(entry)).",
        ko: "중단된 명령이 상품을 수정했습니다: \(id)번\(name)(로그 \(entry)번).")
    case .delete:
      return .note(
        "Product \(id)\(name) was deleted by the interrupted command (log entry \(entry)).",
        ko: "중단된 명령이 상품을 삭제했습니다: \(id)번\(name)(로그 \(entry)번).")
    }
  }

  /// Returns the reason why nothing is sent for a change, and the option that sends it anyway.
  package static func message(_ write: EarlierWrite, now: Timestamp) -> Message {
    let hint = LocalizedText(
      "To apply it again, add \(.command("again")) to the command.",
      ko: "다시 적용하려면 명령 끝에 \(.command("again"), .object) 붙이세요.")
    let (product, time) = (write.product, time(write.reason, now: now))
    let message: Message =
      switch write.reason {
      case .interruption where write.isCreate:
        .note(
          "It was created by the command that was interrupted at \(time): product \(product). Nothing was sent.",
          ko: "\(time)에 중단된 명령이 등록한 상품: \(product)번. 아무것도 보내지 않았습니다.")
      case .interruption:
        .note(
          "It was done at \(time) by a run that was interrupted (log entry \(write.entry)). Nothing was sent.",
          ko: "\(time)에 중단된 실행이 이미 처리했습니다(로그 \(write.entry)번). 아무것도 보내지 않았습니다.")
      case .failure:
        .note(
          "It was created at \(time) by a run that failed: product \(product). Nothing was sent.",
          ko: "\(time)에 실패한 실행이 등록한 상품: \(product)번. 아무것도 보내지 않았습니다.")
      case .plan:
        .note(
          "It was applied before, as product \(product). Nothing was sent.",
          ko: "이전에 \(product)번 상품으로 적용되었습니다. 아무것도 보내지 않았습니다.")
      case .file:
        .note(
          "It was created before, as product \(product). Nothing was sent.",
          ko: "이전에 \(product)번 상품으로 등록되었습니다. 아무것도 보내지 않았습니다.")
      }
    return message.next(hint)
  }

  /// Returns the reason for a cell of a batch's table.
  static func detail(_ write: EarlierWrite) -> LocalizedText {
    let product = write.product
    switch write.reason {
    case .interruption where write.isCreate:
      return LocalizedText(
        "created by the command that was interrupted: product \(product)", ko: "중단된 명령이 등록한 상품: \(product)번")
    case .interruption:
      return LocalizedText(
        "done by the run that was interrupted (log entry \(write.entry))", ko: "중단된 실행이 처리함(로그 \(write.entry)번)")
    case .failure:
      return LocalizedText("created by the run that failed: product \(product)", ko: "실패한 실행이 등록한 상품: \(product)번")
    case .plan: return LocalizedText("applied before as \(product)", ko: "이전에 \(product)번으로 적용됨")
    case .file: return LocalizedText("created before as \(product)", ko: "이전에 \(product)번으로 등록됨")
    }
  }

  /// Returns what earlier runs had done of a batch, one text for each reason.
  static func counts(_ writes: [EarlierWrite], now: Timestamp) -> [LocalizedText] {
    let groups = Dictionary(grouping: writes) { write in
      Group(isCreate: write.isCreate, reason: write.reason, time: time(write.reason, now: now))
    }
    return groups.sorted { $0.value[0].entry < $1.value[0].entry }.map { group, writes in
      let count = writes.count
      let was = count == 1 ? StyledText("was") : "were"
      guard group.isCreate else {
        return LocalizedText(
          "\(count) \(was) already done at \(group.time) by the run that was interrupted.",
          ko: "\(count)건은 \(group.time)에 중단된 실행이 이미 처리했습니다.")
      }
      let ids = writes.prefix(10).map { String($0.product) }.joined(separator: ", ") + (count > 10 ? ", …" : "")
      let products: StyledText = count == 1 ? "product \(ids)" : "products \(ids)"
      return switch group.reason {
      case .interruption:
        LocalizedText(
          "\(count) \(was) already created at \(group.time) by the run that was interrupted: \(products).",
          ko: "\(count)건은 \(group.time)에 중단된 실행이 이미 등록했습니다: \(ids)번.")
      case .failure:
        LocalizedText(
          "\(count) \(was) already created at \(group.time) by the run that failed: \(products).",
          ko: "\(count)건은 \(group.time)에 실패한 실행이 이미 등록했습니다: \(ids)번.")
      case .plan, .file:
        LocalizedText("\(count) \(was) created before: \(products).", ko: "\(count)건은 이전에 등록되었습니다: \(ids)번.")
      }
    }
  }

  /// Earlier writes that are counted together: those with the same displayed time.
  private struct Group: Hashable {
    var isCreate: Bool
    var reason: EarlierWrite.Reason
    var time: String

    init(isCreate: Bool, reason: EarlierWrite.Reason, time: String) {
      self.isCreate = isCreate
      self.time = time
      let none = Timestamp(seconds: 0, isUTC: true)
      self.reason =
        switch reason {
        case .interruption: .interruption(none)
        case .failure: .failure(none)
        case .plan, .file: reason
        }
    }
  }

  /// The refusal of a computed edit whose earlier run left its outcome unknown.
  static func undecided(_ entry: Int, _ change: Change) -> CommandError {
    let id = change.product?.id ?? 0
    return CommandError(
      .blocked,
      .failure(
        "The outcome of the same change to product \(id) is unknown. Nothing was sent.",
        ko: "\(id)번 상품의 같은 변경이 적용됐는지 알 수 없습니다. 아무것도 보내지 않았습니다."
      ).because(
        "Log entry \(entry) sent it in a run that did not end.", ko: "끝나지 않은 실행의 로그 \(entry)번이 보냈습니다."
      ).next(
        "Run \(.command("resume")) to check it, or add \(.command("again")) to the command to send it again.",
        ko: "\(.command("resume"), .toward) 확인하세요. 다시 보내려면 명령 끝에 \(.command("again"), .object) 붙이세요."))
  }

  /// Returns the time of an interrupted or failed run in local time: `07:07`, with the date if it was more than half a day
  /// ago.
  package static func time(_ reason: EarlierWrite.Reason, now: Timestamp) -> String {
    let moment: Timestamp
    switch reason {
    case .interruption(let time), .failure(let time): moment = time
    case .plan, .file: return ""
    }
    let local = Timestamp(
      seconds: moment.seconds + (LocalTimeZone(at: moment.seconds)?.secondsFromGMT ?? 0), isUTC: false)
    let text = local.displayDescription.prefix(16)
    return String(abs(now.seconds - moment.seconds) < 43_200 ? text.dropFirst(11) : text)
  }
}

extension Change {
  /// The change in a few words, with the ID and the name of its product: `update product 138 "먹색 요리책"`.
  package var subject: LocalizedText {
    let name = name.map { " \"\(.foreign($0))\"" as StyledText } ?? ""
    return switch self {
    case .create: LocalizedText("create\(name)", ko: "상품\(name) 등록")
    case .edit(let product, _, _):
      LocalizedText("update product \(product.id)\(name)", ko: "\(product.id)번 상품\(name) 수정")
    case .delete(let product):
      LocalizedText("delete product \(product.id)\(name)", ko: "\(product.id)번 상품\(name) 삭제")
    }
  }
}

extension JournalEntry {
  /// The write in a few words, with the ID and the name of its product; the kind of a write that isn't known in full.
  package var subject: LocalizedText {
    if let change { return change.subject }
    if action == .raw { return LocalizedText("raw request", ko: "raw 요청") }
    guard let product else { return action.words }
    let (english, korean) = (action.words.english, action.words.korean)
    return LocalizedText("\(english) product \(product)", ko: "\(product)번 상품 \(korean)")
  }

  /// The write in a few words with its values: `update product 138 "먹색 요리책" (price ₩19,000 → ₩17,100)`.
  package func subject(_ options: RenderOptions) -> LocalizedText {
    let values = change.map { ChangeSummary(options, isPlan: true).values(of: $0) } ?? ""
    guard !values.isEmpty else { return subject }
    return LocalizedText(
      "\(subject.english) (\(.foreign(values)))", ko: "\(subject.korean)(\(.foreign(values)))")
  }
}
