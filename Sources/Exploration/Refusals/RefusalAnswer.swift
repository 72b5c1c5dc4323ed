import Catalog
import Engine
import Failures
import Foundation
import Journal
import Language
import Marketplace
import Networking
import Presentation
import Text

/// The response that rejected a request: its message, its known meaning in the edition, and the next step.
struct RefusalAnswer {
  private let status: Int
  private let message: String?
  private let sent: SentRequest
  private let edition: Edition

  init(_ reply: KeptExchange.Reply, to sent: SentRequest, _ edition: Edition) {
    status = reply.status
    self.sent = sent
    self.edition = edition
    switch reply.body {
    case .none, .bytes, .form: message = nil
    case .text(let text, _, _):
      let object = (try? JSON(parsing: Data(text.utf8)))?.object
      let words = ["message", "reason", "error"].lazy.compactMap { key in
        (try? object?.string(key)).flatMap { $0.isEmpty ? nil : $0 }
      }.first
      message = words ?? (object == nil ? String(text.prefix(200)) : nil)
    }
  }

  var wording: LocalizedText {
    guard let message else { return LocalizedText("\(status), without a word", ko: "\(status), 본문 없음") }
    return LocalizedText(same: "\(status): \(.foreign(Placeholders.masked(message)))")
  }

  /// A Boolean value that indicates that the message was redacted, because a successful response to the same request
  /// would contain a deletion token.
  var isHidden: Bool { message.map { Placeholders.masked($0) != $0 } ?? false }

  private var complaint: Complaint? { message.flatMap { Complaint($0) } }

  // MARK: What it means

  /// The meanings.
  ///
  /// Each says how certain it is, because most of this is known only from captured responses and from clients of the
  /// old servers.
  var meanings: [LocalizedText] {
    (complaint.map { [$0.wording] } ?? []) + [byStatus]
  }

  private var byStatus: LocalizedText {
    switch status {
    case 400 where edition.traits.knowsVendors:
      LocalizedText(
        "400 is what servers of \(edition) answer to a form or JSON they cannot read, to a part that is missing, and to an identifier and secret that do not fit; their words tell which (seen; the last one likely).",
        ko: "\(edition) 서버는 폼이나 JSON을 읽지 못할 때, 빠진 부분이 있을 때, 식별자와 시크릿이 맞지 않을 때 400으로 답합니다. 어느 것인지는 메시지로 압니다(마지막은 추정).")
    case 400:
      LocalizedText(
        "400 is on record for a form of another type, for a part that is missing and for more than 5 pictures (likely).",
        ko: "400은 폼 형식이 다를 때, 빠진 부분이 있을 때, 사진이 5장을 넘을 때의 답입니다(추정).")
    case 401, 403:
      LocalizedText(
        "\(status) is on record for no server of \(edition); by its number, the vendor is not allowed this.",
        ko: "\(edition) 서버의 \(status) 응답은 기록에 없습니다. 번호의 뜻은 이 판매자에게 허용되지 않는다는 것입니다.")
    case 404: notFound
    case 413:
      LocalizedText(
        "413: the request is larger than the server, or a proxy before it, takes.",
        ko: "413: 요청이 서버나 그 앞의 프록시가 받는 크기보다 큽니다.")
    case 429:
      LocalizedText("429: too many requests; nothing was changed.", ko: "429: 요청이 너무 많습니다. 바뀐 것은 없습니다.")
    case 500... where sent.act == .list && edition.traits.knowsVendors:
      LocalizedText(
        "A page number below 1 was answered with a 5xx; anything else is a fault of the server (likely).",
        ko: "1보다 작은 페이지 번호에 5xx로 답한 기록이 있습니다. 그 밖에는 서버의 오류입니다(추정).")
    case 500...:
      LocalizedText(
        "\(status): the server failed. Whether a write took effect is told by reading, which \(.command("status")) shows.",
        ko: "\(status): 서버 오류입니다. 적용되었는지는 읽어서 확인하며 \(.command("status"))에서 볼 수 있습니다.")
    default:
      LocalizedText(
        "\(status) is on record for no server of \(edition).", ko: "\(edition) 서버의 \(status) 응답은 기록에 없습니다.")
    }
  }

  private var notFound: LocalizedText {
    switch (edition.traits.knowsVendors, sent.act) {
    case (false, .edit), (false, .delete):
      LocalizedText(
        "404 is one answer for two things: the password does not fit, or there is no such product (seen on camp2).",
        ko: "404는 두 가지 뜻입니다. 비밀번호가 맞지 않거나 상품이 없습니다(camp2에서 확인).")
    case (true, .delete):
      LocalizedText(
        "404: the address of the deletion is used up, or of another product (assumed).",
        ko: "404: 삭제 주소가 이미 쓰였거나 다른 상품의 것입니다(추정).")
    case (_, .show), (_, .edit), (_, .prepareDeletion):
      LocalizedText(
        "404: there is no such product; on record is only that it is a 4xx (assumed).",
        ko: "404: 해당 상품이 없습니다. 기록에는 4xx라고만 있습니다(추정).")
    case (_, .list), (_, .create), (_, .other):
      LocalizedText(
        "404: the server has nothing at this address; it may be of another edition.",
        ko: "404: 이 주소에 아무것도 없습니다. 다른 버전의 서버일 수 있습니다.")
    }
  }

  // MARK: What to try

  func steps(_ breaches: [EditionRules.Breach], limits: LimitPolicy) -> [LocalizedText] {
    var steps: [LocalizedText] = []
    if !breaches.isEmpty {
      let names = breaches.map(\.name).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      let list = names.joined(separator: ", ")
      steps.append(
        LocalizedText("Correct \(.field(list)) and send it again.", ko: "\(.field(list), .object) 고쳐서 다시 보내세요."))
    }
    if limits == .server, breaches.contains(where: \.isRarelyEnforced) {
      steps.append(
        LocalizedText(
          "\(.command("set limits documented")) checks the documented limits before anything is sent.",
          ko: "\(.command("set limits documented"))로 보내기 전에 문서의 한도를 확인합니다."))
    }
    if let next = complaint?.next { steps.append(next) }
    if complaint == .foreignProduct || status == 403 {
      steps.append(
        LocalizedText(
          "\(.command("ls where vendor=me")) lists your own products.",
          ko: "본인 상품은 \(.command("ls where vendor=me"))에서 봅니다."))
    }
    switch status {
    case 401, 403:
      steps.append(
        LocalizedText("\(.command("whoami")) shows who you are here.", ko: "\(.command("whoami"))로 로그인을 확인합니다."))
    case 404 where sent.act == .other || sent.act == .list || sent.act == .create:
      steps.append(
        LocalizedText(
          "\(.command("session")) shows the address and the edition.", ko: "\(.command("session"))에서 주소와 버전을 봅니다."))
    case 404:
      steps.append(
        LocalizedText("\(.command("refresh")) shows what is there now.", ko: "\(.command("refresh"))로 지금 있는 상품을 봅니다."))
    case 429:
      steps.append(
        LocalizedText(
          "Wait, or write slower: \(.command("rate 1/s")).", ko: "잠시 기다리거나 \(.command("rate 1/s"))로 천천히 보내세요."))
    default: break
    }
    if steps.isEmpty || status == 400 {
      steps.append(
        LocalizedText(
          "\(.command("trace")) in front of the line shows the exchange, \(.command("curl")) prints its requests.",
          ko: "줄 앞의 \(.command("trace"))로 주고받은 것을, \(.command("curl"))로 요청을 볼 수 있습니다."))
    }
    return steps
  }
}
