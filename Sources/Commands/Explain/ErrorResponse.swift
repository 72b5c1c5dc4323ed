import CommandLanguage
import Foundation
import MarketAPI
import Networking
import ShellRuntime
import Text
import WriteJournal

/// The response that rejected a request: its message, its known meaning in the edition, and the next step.
struct ErrorResponse {
  private let status: Int
  private let message: String?
  private let sent: SentRequest
  private let dialect: Dialect

  init(_ response: StoredExchange.Response, to sent: SentRequest, _ dialect: Dialect) {
    status = response.status
    self.sent = sent
    self.dialect = dialect
    switch response.body {
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
    guard let message else { return LocalizedText("\(status), empty response", ko: "\(status), 빈 응답") }
    return LocalizedText(same: "\(status): \(.foreign(SecretPlaceholders.masked(message)))")
  }

  /// A Boolean value that indicates that the message was redacted, because a successful response to the same request
  /// would contain a deletion token.
  var isHidden: Bool { message.map { SecretPlaceholders.masked($0) != $0 } ?? false }

  private var complaint: ServerErrorReason? { message.flatMap { ServerErrorReason($0) } }

  // MARK: What it means

  /// The possible meanings of the response in this edition.
  ///
  /// Each says how certain it is, because most of this is known only from captured responses and from clients of the
  /// old servers.
  var meanings: [LocalizedText] {
    // The status says the same of a product that does not exist.
    (complaint.flatMap { $0 == .noProduct ? nil : [$0.message] } ?? []) + [byStatus]
  }

  private var byStatus: LocalizedText {
    switch status {
    case 400 where dialect.capabilities.ownership == .vendors:
      LocalizedText(
        "Servers of edition \(dialect) respond with 400 when they cannot read the form or JSON, when a part is missing, or when identifier and secret do not match (the last case is likely, not confirmed). The message says which.",
        ko: "\(dialect) 서버는 폼이나 JSON을 읽지 못할 때, 빠진 부분이 있을 때, 식별자와 시크릿이 맞지 않을 때 400으로 답합니다. 어느 것인지는 메시지로 압니다(마지막은 추정).")
    case 400:
      LocalizedText(
        "400 has been seen for a wrong form type, a missing part, and more than 5 images (likely).",
        ko: "400은 폼 형식이 다를 때, 빠진 부분이 있을 때, 사진이 5장을 넘을 때의 답입니다(추정).")
    case 401, 403:
      LocalizedText(
        "\(status) has never been seen from servers of edition \(dialect). It normally means that this vendor is not allowed to do this.",
        ko: "\(dialect) 서버가 \(status, .toward) 응답한 사례는 확인되지 않았습니다. 보통 이 판매자에게 권한이 없다는 뜻입니다.")
    case 404: notFound
    case 405:
      LocalizedText(
        "405: there is something at this URL, but not for that method.", ko: "405: 이 주소는 있지만 그 메서드로는 쓸 수 없습니다.")
    case 409:
      LocalizedText(
        "409: the request contradicts itself or the product as it is.", ko: "409: 요청이 상품의 현재 상태나 요청 자체와 맞지 않습니다.")
    case 413:
      LocalizedText(
        "413: the request is too large for the server or a proxy in front of it.",
        ko: "413: 요청이 서버나 그 앞의 프록시가 받는 크기보다 큽니다.")
    case 429:
      LocalizedText("429: too many requests. Nothing was changed.", ko: "429: 요청이 너무 많습니다. 바뀐 것은 없습니다.")
    case 500... where sent.purpose == .list && dialect.capabilities.ownership == .vendors:
      LocalizedText(
        "A page number below 1 has caused a 5xx before. Anything else is a server error (likely).",
        ko: "1보다 작은 페이지 번호에 5xx로 응답한 사례가 있습니다. 그 밖에는 서버의 오류입니다(추정).")
    case 500...:
      LocalizedText(
        "\(status): server error. openmarket checks by reading whether the change took effect; see \(.command("status")).",
        ko: "\(status): 서버 오류입니다. 적용되었는지는 읽어서 확인하며 \(.command("status"))에서 볼 수 있습니다.")
    default:
      LocalizedText(
        "\(status) has never been seen from servers of edition \(dialect).",
        ko: "\(dialect) 서버가 \(status, .toward) 응답한 사례는 확인되지 않았습니다.")
    }
  }

  private var notFound: LocalizedText {
    switch (dialect.capabilities.ownership == .vendors, sent.purpose) {
    case (false, .edit), (false, .delete):
      LocalizedText(
        "404 can mean two things: the password is wrong, or the product does not exist (seen on camp2).",
        ko: "404에는 두 가지 경우가 있습니다. 비밀번호가 틀렸거나 상품이 없습니다(camp2에서 확인).")
    case (true, .delete):
      LocalizedText(
        "404: the delete URL was already used, or belongs to another product (assumed).",
        ko: "404: 삭제 주소가 이미 쓰였거나 다른 상품의 것입니다(추정).")
    case (_, .show), (_, .edit), (_, .prepareDeletion):
      LocalizedText(
        "404: the product does not exist (assumed; only a 4xx is confirmed).",
        ko: "404: 상품이 없습니다(4xx라는 것만 확인됨, 추정).")
    case (_, .list), (_, .create), (_, .other):
      LocalizedText(
        "404: there is nothing at this URL. The server may use another edition.",
        ko: "404: 이 주소에는 아무것도 없습니다. 서버의 API 버전이 다를 수 있습니다.")
    }
  }

  // MARK: What to try

  func steps(_ breaches: [EditionRules.Violation], limits: LimitPolicy) -> [LocalizedText] {
    var steps: [LocalizedText] = []
    if !breaches.isEmpty {
      let names = breaches.map(\.name).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      let list = names.joined(separator: ", ")
      steps.append(
        LocalizedText("Correct \(.field(list)) and try again.", ko: "\(.field(list), .object) 고쳐서 다시 보내세요."))
    }
    if limits == .server, breaches.contains(where: \.isRarelyEnforced) {
      steps.append(
        LocalizedText(
          "Run \(.command("set limits documented")) to check the documented limits before sending.",
          ko: "보내기 전에 문서의 한도를 확인하려면 \(.command("set limits documented"), .object) 실행하세요."))
    }
    if let next = complaint?.hint { steps.append(next) }
    if complaint == .foreignProduct || status == 403 {
      steps.append(
        LocalizedText(
          "Run \(.command("ls where vendor=me")) to list your own products.",
          ko: "내 상품은 \(.command("ls where vendor=me"), .toward) 볼 수 있습니다."))
    }
    switch status {
    case 401, 403:
      steps.append(
        LocalizedText(
          "Run \(.command("whoami")) to see who you are logged in as.", ko: "로그인한 판매자는 \(.command("whoami"))로 볼 수 있습니다."
        ))
    case 404 where sent.purpose == .other || sent.purpose == .list || sent.purpose == .create:
      steps.append(
        LocalizedText(
          "Run \(.command("session")) to see the URL and edition.", ko: "주소와 API 버전은 \(.command("session"))에서 볼 수 있습니다."
        ))
    case 404:
      steps.append(
        LocalizedText(
          "Run \(.command("refresh")) to reload the list.", ko: "목록을 다시 읽으려면 \(.command("refresh"), .object) 실행하세요."))
    case 429:
      steps.append(
        LocalizedText(
          "Wait, or send more slowly with \(.command("rate 1/s")).", ko: "잠시 기다리거나 \(.command("rate 1/s"))로 천천히 보내세요."))
    default: break
    }
    if steps.isEmpty || status == 400 {
      steps.append(
        LocalizedText(
          "Put \(.command("trace")) before the command to see requests and responses, or \(.command("curl")) to print the requests.",
          ko: "명령 앞에 \(.command("trace"), .object) 붙이면 요청과 응답을, \(.command("curl"), .object) 붙이면 요청을 볼 수 있습니다."))
    }
    return steps
  }
}

/// The meaning of a response that refused something, without the request: what it means in the edition, and what to try.
package struct ResponseExplanation {
  /// The name of each part, as in ``Explanation``, and its English text.
  package let parts: [(String, String)]

  /// Returns what a refusal of the built-in server means, or `nil` if its words say all.
  ///
  /// - Parameters:
  ///   - status: The HTTP status.
  ///   - words: The message of the response.
  ///   - detail: What the server did not tell the client.
  ///   - method: The method of the request.
  ///   - path: The path of the request, in which `…` is any segment.
  ///   - dialect: The dialect of the server.
  package static func meaning(
    status: Int, words: String, detail: String?, of method: String, _ path: String, _ dialect: Dialect
  ) -> LocalizedText? {
    // Nothing is known of a request to a URL that the server does not have.
    let isNowhere = status == 404 && words == "Not Found" && detail == nil
    let steps = isNowhere ? [] : path.split(separator: "/").map(String.init)
    let request = StoredExchange.Request(method: method, path: steps, query: [], headers: [], body: .none)
    let body = JSON.object([("message", .string(words))]).serialized
    let response = StoredExchange.Response(
      status: status, headers: [], body: .text(body, type: nil, size: body.utf8.count))
    let sent = SentRequest(request, dialect)
    let isOfPassword =
      status == 404 && dialect.capabilities.ownership == .passwords && [.edit, .delete].contains(sent.purpose)
    let reason = ServerErrorReason(words) ?? detail.flatMap { ServerErrorReason($0) }
    if let reason, !isOfPassword { return reason.message }
    guard [404, 413, 429].contains(status) else { return nil }
    return ErrorResponse(response, to: sent, dialect).meanings.last
  }

  /// Creates the explanation.
  ///
  /// - Parameters:
  ///   - status: The HTTP status.
  ///   - body: The body of the response.
  ///   - dialect: The dialect of the server.
  ///   - limits: The limits that are checked before something is sent.
  package init(status: Int, body: String, _ dialect: Dialect, limits: LimitPolicy) {
    let request = StoredExchange.Request(method: "POST", path: [], query: [], headers: [], body: .none)
    let response = StoredExchange.Response(
      status: status, headers: [], body: .text(body, type: nil, size: body.utf8.count))
    let refusal = ErrorResponse(response, to: SentRequest(request, dialect), dialect)
    parts =
      [(Explanation.Section.response.rawValue, refusal.wording[.english].plain)]
      + refusal.meanings.map { (Explanation.Section.means.rawValue, $0[.english].plain) }
      + refusal.steps([], limits: limits).map { (Explanation.Section.next.rawValue, $0[.english].plain) }
  }
}
