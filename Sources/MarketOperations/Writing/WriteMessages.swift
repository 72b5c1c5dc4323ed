import Catalog
import Foundation
import MarketAPI
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

extension Outcome {
  /// The reason as a sentence, or `nil` if there is none.
  package var detail: LocalizedText? {
    switch self {
    case .done(_, let differences): differences.wording
    case .unchanged(_, let earlier): earlier.map { EarlierWriteMessages.detail($0) }
    case .refused(let refusal): refusal.wording
    case .notSent(let why, _):
      LocalizedText("Not sent: \(why.wording.english)", ko: "보내지 못했습니다: \(why.wording.korean)")
    case .aborted(let why):
      LocalizedText(
        "The connection broke before the whole request was sent, so it was not applied: \(why.wording.english)",
        ko: "마지막 바이트를 보내기 전에 끊겨 적용되지 않았습니다: \(why.wording.korean)")
    case .journalUnavailable(let failure, _): failure.wording
    case .locked(let holder) where holder.process == 0 || holder.isUnknown:
      LocalizedText(
        "Blocked since \(holder.since) by log entry \(holder.entry), whose outcome is unknown. Run \(.command("resume")) to resolve it first.",
        ko:
          "결과 미확인인 로그 \(holder.entry)번 때문에 \(holder.since)부터 이 상품을 변경할 수 없습니다. 먼저 \(.command("resume"), .toward) 확인하세요."
      )
    case .locked(let holder):
      LocalizedText(
        "Blocked since \(holder.since) by log entry \(holder.entry) of process \(holder.process).",
        ko: "\(holder.since)부터 프로세스 \(holder.process)(로그 \(holder.entry)번)가 이 상품을 변경하고 있습니다.")
    case .notApplied(nil, _): LocalizedText("It was not applied.", ko: "적용되지 않았습니다.")
    case .notApplied(let why?, _):
      LocalizedText("It was not applied: \(why.wording.english)", ko: "적용되지 않았습니다: \(why.wording.korean)")
    case .notStored(_, _, let evidence):
      LocalizedText(
        "The server reported success, but the product shows otherwise: \(evidence.wording.english)",
        ko: "서버는 성공으로 응답했지만, 다시 읽은 값이 다릅니다: \(evidence.wording.korean)")
    case .unrecorded(let outcome, let failure):
      LocalizedText(
        "\(outcome.kind.words.english): \(failure.cause.english)",
        ko: "\(outcome.kind.words.korean): \(failure.cause.korean)")
    case .unknown(let why):
      LocalizedText("The outcome is unknown: \(why.wording.english)", ko: "적용되었는지 알 수 없습니다: \(why.wording.korean)")
    case .notStarted: LocalizedText("It was not started.", ko: "시작하지 않았습니다.")
    case .drifted(let fields) where fields.isEmpty:
      LocalizedText("It no longer exists.", ko: "상품이 없어졌습니다.")
    case .drifted(let fields):
      LocalizedText("It changed in the meantime: \(names(fields))", ko: "그사이 바뀌었습니다: \(names(fields, .korean))")
    case .otherProduct(let mismatch): mismatch.wording
    case .createdAndGone(_, let mismatch?):
      LocalizedText(
        "It was created before. \(mismatch.wording.english) To create it again, add \(.command("again")).",
        ko: "이전에 등록했습니다. \(mismatch.wording.korean) 다시 등록하려면 \(.command("again"), .object) 붙이세요.")
    case .createdAndGone(let product, nil):
      LocalizedText(
        "It was created before, as product \(product), which does not exist any more. To create it again, add \(.command("again")).",
        ko: "이전에 \(product)번 상품으로 등록했지만 지금은 없습니다. 다시 등록하려면 \(.command("again"), .object) 붙이세요.")
    case .needsDecision(let evidence):
      LocalizedText("Needs your decision: \(evidence.wording.english)", ko: "직접 확인이 필요합니다: \(evidence.wording.korean)")
    }
  }

  /// Returns the failure of a single write that wasn't successful.
  package func failure(of change: Change) -> CommandError {
    if case .unrecorded(let outcome, let failure) = self {
      let what = outcome.isDone ? WriteMessages.message(change, outcome.product) : outcome.failure(of: change).message
      return CommandError(
        .outcomeUnknown,
        Message(.warning, what.what).because(failure.cause).next(
          "Run \(.command("resume")) to check and log it. Until then, \(.command("undo")) is not available.",
          ko: "확인하고 로그에 저장하려면 \(.command("resume"), .object) 실행하세요. 그때까지 \(.command("undo"), .topic) 쓸 수 없습니다."))
    }
    var message: Message
    switch change {
    case .create: message = .failure("Could not create the product.", ko: "상품을 등록하지 못했습니다.")
    case .edit(let product, _, _):
      message = .failure("Could not update product \(product.id).", ko: "\(product.id)번 상품을 수정하지 못했습니다.")
    case .delete(let product):
      message = .failure("Could not delete product \(product.id).", ko: "\(product.id)번 상품을 삭제하지 못했습니다.")
    }
    if code == .outcomeUnknown {
      message = Message(.warning, Outcome.doubt(about: change))
      if case .needsDecision = self, case .create = change {
        message = message.next(
          "The request may still arrive, so it will not be sent again. Run \(.command("resume")) to look for the product. If you have checked yourself, run \(.command("resume send N")) to send it again or \(.command("resume forget N")) to discard it.",
          ko:
            "요청이 뒤늦게 적용될 수 있어 다시 보내지 않습니다. 상품을 찾으려면 \(.command("resume"), .object) 실행하세요. 직접 확인했다면 \(.command("resume send N"), .toward) 다시 보내거나 \(.command("resume forget N"), .toward) 버리세요."
        )
      } else if case .needsDecision = self {
        message = message.next(
          "Reading cannot tell, so it will not be sent again. Run \(.command("resume")) to decide.",
          ko: "읽어서는 알 수 없어 다시 보내지 않습니다. 직접 결정하려면 \(.command("resume"), .object) 실행하세요.")
      } else {
        message = message.next(
          "Run \(.command("status")) to see it. openmarket will check by reading and will not send it again blindly.",
          ko: "\(.command("status"))에서 볼 수 있습니다. 결과는 읽어서 확인하며, 확인 없이 다시 보내지 않습니다.")
      }
    }
    if case .refused(let refusal) = self, let meaning = refusal.explanation { message = message.because(meaning) }
    if let reason { message = message.because(reason) }
    if case .refused(let refusal) = self, let next = refusal.knownServerError?.hint { message = message.next(next) }
    if isPending {
      message = message.next(
        "The change stays pending. Run \(.command("resume")) to send it, or \(.command("resume forget")) to discard it.",
        ko: "이 변경은 대기 중입니다. 보내려면 \(.command("resume"), .object), 버리려면 \(.command("resume forget"), .object) 실행하세요.")
    }
    if case .refused(let refusal) = self, refusal.kind == .busy {
      message = message.next(
        "Run \(.command("resume")) to send it later, or \(.command("resume forget")) to discard it.",
        ko: "나중에 보내려면 \(.command("resume"), .object), 버리려면 \(.command("resume forget"), .object) 실행하세요.")
    }
    if case .otherProduct = self { return CommandError(code, message, code: .otherProduct) }
    return CommandError(code, message)
  }

  /// A Boolean value that indicates that the change was not made and that `resume` sends it.
  private var isPending: Bool {
    switch self {
    case .notSent, .aborted, .notApplied, .locked: true
    case .journalUnavailable(_, let isPending): isPending
    case .done, .unchanged, .refused, .notStored, .unrecorded, .unknown, .notStarted,
      .drifted, .otherProduct, .createdAndGone, .needsDecision:
      false
    }
  }

  /// Returns the sentence with the change whose outcome is unknown.
  private static func doubt(about change: Change) -> LocalizedText {
    switch change {
    case .create:
      LocalizedText("It is unknown whether the product was created.", ko: "상품이 등록되었는지 알 수 없습니다.")
    case .edit(let product, _, _):
      LocalizedText(
        "It is unknown whether product \(product.id) was updated.", ko: "\(product.id)번 상품이 수정되었는지 알 수 없습니다.")
    case .delete(let product):
      LocalizedText(
        "It is unknown whether product \(product.id) was deleted.", ko: "\(product.id)번 상품이 삭제되었는지 알 수 없습니다.")
    }
  }

  /// The reason below the sentence of a single write, which has said already that its outcome is unknown.
  private var reason: LocalizedText? {
    guard case .unknown(let why) = self else { return detail }
    let sentence = why.english.prefix(1).uppercased() + why.english.dropFirst()
    return LocalizedText("\(.foreign(sentence)).", ko: "\(why.wording.korean).")
  }

  private var code: ExitStatus {
    switch self {
    case .done, .unchanged: .success
    case .refused, .notStored: .refused
    case .notSent(_, let isAnswered), .notApplied(_, let isAnswered): isAnswered ? .refused : .unreachable
    case .aborted: .unreachable
    case .journalUnavailable(let failure, _): failure.status
    case .locked, .drifted, .otherProduct: .blocked
    case .unknown, .needsDecision, .unrecorded: .outcomeUnknown
    case .notStarted, .createdAndGone: .partialFailure
    }
  }

  private func names(_ fields: [ProductField], _ language: MessageLanguage = .english) -> String {
    fields.map { $0.title[language].plain }.joined(separator: ", ")
  }
}

extension Rejection {
  package var wording: LocalizedText {
    if kind == .busy {
      return LocalizedText(
        "Too many requests (429). Try again later.", ko: "서버가 지금은 받지 않습니다(429): 요청이 너무 많습니다.")
    }
    guard let message, !message.isEmpty else {
      return LocalizedText("The server responded with status \(status).", ko: "서버가 상태 코드 \(status)번으로 응답했습니다.")
    }
    return LocalizedText(
      "The server responded with status \(status): \(.foreign(message))", ko: "서버 응답 \(status): \(.foreign(message))")
  }

  /// The meaning of the rejection, if it is known.
  package var explanation: LocalizedText? {
    if let knownServerError { return knownServerError.message }
    if kind == .notFound { return LocalizedText("The product does not exist.", ko: "상품이 없습니다.") }
    guard status == 403 else { return nil }
    return LocalizedText("This vendor is not allowed to do that.", ko: "이 판매자에게는 권한이 없다고 서버가 응답했습니다.")
  }

  /// The reason by the server's message, or by what was determined: only the camp servers return 404 for a wrong
  /// password.
  var knownServerError: ServerErrorReason? {
    if let complaint = message.flatMap({ ServerErrorReason($0) }) { return complaint }
    guard kind == .wrongSecret else { return nil }
    return status == 404 ? .wrongPassword : .wrongSecret
  }
}

/// The messages about completed writes.
enum WriteMessages {
  static func message(_ change: Change, _ product: Product?) -> Message {
    switch change {
    case .create:
      guard let id = product?.id else { return .success("Created the product.", ko: "상품을 등록했습니다.") }
      return .success("Created product \(id).", ko: "\(id)번 상품을 등록했습니다.")
    case .edit(let product, _, _):
      return .success("Updated product \(product.id).", ko: "\(product.id)번 상품을 수정했습니다.")
    case .delete(let product):
      return .success("Deleted product \(product.id).", ko: "\(product.id)번 상품을 삭제했습니다.")
    }
  }

  /// Returns a warning about fields that aren't read as they were sent, or `nil` if there are none.
  static func warning(_ differences: [FieldDifference]) -> Message? {
    guard !differences.isEmpty else { return nil }
    let what: Message =
      if differences.isPartial {
        .warning("It was only partly applied.", ko: "일부만 적용되었습니다.")
      } else if differences.allSatisfy({ $0.kind == .unconfirmed }) {
        .warning("No response says that it was applied.", ko: "적용되었다는 응답은 받지 못했습니다.")
      } else {
        .warning("The stored values differ from what was sent.", ko: "저장된 값이 보낸 값과 다릅니다.")
      }
    return differences.reduce(what) { $0.because($1.wording) }
  }
}

extension [FieldDifference] {
  /// The outcome of each field in one line, or `nil` if all are as wanted.
  var wording: LocalizedText? {
    guard let first else { return nil }
    return dropFirst().reduce(first.wording) { whole, next in
      LocalizedText(
        "\(whole.english); \(next.wording.english)", ko: "\(whole.korean); \(next.wording.korean)")
    }
  }
}

extension FieldDifference {
  var wording: LocalizedText {
    let value = now?.description ?? "-"
    let (english, korean) = (field.title.english, field.title.korean)
    return switch kind {
    case .stored:
      LocalizedText(
        "\(english) stored as \(.foreign(value))", ko: "\(korean): 서버가 \(.foreign(value), .toward) 저장했습니다")
    case .changed:
      LocalizedText(
        "\(english) changed to \(.foreign(value)) since then", ko: "\(korean): 그사이 \(.foreign(value), .toward) 바뀌었습니다")
    case .concurrent:
      LocalizedText(
        "\(english) as sent, but meanwhile read as \(.foreign(value))",
        ko: "\(korean): 보낸 값이지만, 그사이 읽은 값은 \(.foreign(value))입니다")
    case .unconfirmed:
      LocalizedText(
        "\(english) is \(.foreign(value)) now; whether this change set it is not known",
        ko: "\(korean): 현재 \(.foreign(value))입니다. 이 변경으로 바뀐 것인지는 알 수 없습니다")
    case .left:
      LocalizedText(
        "\(english) not applied (still \(.foreign(value)))", ko: "\(korean): 적용되지 않아 \(.foreign(value)) 그대로입니다")
    case .gone: LocalizedText("the product no longer exists", ko: "그 뒤에 상품이 없어졌습니다")
    }
  }
}

// The names of writes and outcomes in the log and in batches. Data contains the English words of the language; users
// see their own language.
extension JournalEntry.Action {
  package var words: LocalizedText {
    let korean: StyledText =
      switch self {
      case .create: "등록"
      case .patch: "수정"
      case .delete: "삭제"
      case .raw: "raw 요청"
      }
    return LocalizedText(StyledText(rawValue), ko: korean)
  }
}

extension JournalEntry.Status {
  package var words: LocalizedText {
    OutcomeKind(rawValue: rawValue)?.words ?? LocalizedText(StyledText(rawValue), ko: "되돌림")
  }
}

/// Writes that were left open at other markets than the session's, in words.
package struct PendingElsewhere {
  /// The markets, each with the line that leads there and the number of writes.
  private let destinations: [(name: String, line: String, count: Int)]

  /// Reads the journal; nil where nothing is open elsewhere.
  ///
  /// - Throws: `JournalError` where the log cannot be read.
  package init?(_ binding: MarketLogin, in stores: Stores) throws {
    let profiles = (try? ProfileStore(stores.home).load()) ?? [:]
    destinations = try stores.journal().openElsewhere(than: binding.baseURL).map { destination in
      let (name, line) = PendingElsewhere.nameAndLine(of: destination, profiles)
      return (name, line, destination.count)
    }
    if destinations.isEmpty { return nil }
  }

  /// Returns the name of a market, and the line that leads there.
  ///
  /// A profile that was removed or led to another server since does not lead there.
  private static func nameAndLine(
    of destination: PendingDestination, _ profiles: [String: Profile]
  ) -> (name: String, line: String) {
    if let edition = destination.baseURL.wholeMatch(of: /embedded:(.*)/).map({ String($0.1) }) {
      let line = edition == "open" ? "profile \(destination.profile)" : "openmarket --api \(edition)"
      return (edition == "open" ? destination.profile : "\(destination.profile), \(edition)", line)
    }
    let market = MarketIdentity(address: destination.baseURL)
    if let url = URL(string: market.server), let profile = profiles[destination.profile], profile.isAt(url),
      market.resource == resource(of: profile)
    {
      return (destination.profile, "profile \(destination.profile)")
    }
    let options = market.resource == nil ? "" : " --api FILE"
    return (destination.baseURL, "openmarket --url \(market.server)\(options)")
  }

  /// Returns the path of the list that the file of a profile describes, or `nil` without a file that can be read.
  private static func resource(of profile: Profile) -> String? {
    guard let api = profile.api, APIWord.isFile(api) else { return nil }
    return (try? APIWord.dialect(api, home: nil))?.marketDescription?.resource.description
  }

  package var message: Message {
    let count = destinations.reduce(0) { $0 + $1.count }
    let list = destinations.map { "\($0.name) (\($0.count))" }.joined(separator: ", ")
    let line = destinations.first?.line ?? ""
    return .warning(
      "\(count) \(count == 1 ? StyledText("change is") : "changes are") pending on other servers: \(.foreign(list))",
      ko: "다른 서버에 대기 중인 변경이 \(count)건 있습니다: \(.foreign(list))"
    ).next(
      "Run \(.command(line)), then \(.command("status")).",
      ko: "\(.command(line)) 다음에 \(.command("status"), .object) 실행하세요.")
  }
}
