import Catalog
import Language
import Marketplace
import Platform
import Presentation
import Text

extension Failure {
  package init(_ error: MarketError) {
    switch error {
    case .refused(let status, let message):
      self.init(.refused, Failure.refused(status, message))
    case .notFound(let message):
      self.init(
        .refused,
        .failure("There is no such thing on the server.", ko: "서버에 해당 상품이 없습니다.").because(Failure.answer(404, message)))
    case .busy(let seconds, let message):
      var failure = Message.failure("The server is busy.", ko: "서버가 바쁩니다.").because(Failure.answer(429, message))
      if let seconds { failure = failure.next("Again in \(seconds) s.", ko: "\(seconds)초 뒤에 다시 시도하세요.") }
      self.init(.refused, failure)
    case .redirected(let status, let to):
      let target = to ?? "?"
      self.init(
        .refused,
        .failure("The server points elsewhere; not followed.", ko: "서버가 다른 주소로 리다이렉트했지만 따라가지 않았습니다.")
          .because("It answered \(status) to \(.foreign(target)).", ko: "응답 \(status), 리다이렉트 주소 \(.foreign(target))."))
    case .unreadable(let status, let kind, let excerpt):
      self.init(.refused, Failure.unreadable(status, kind, excerpt))
    case .notLoggedIn(let missing):
      let parts = missing.map(\.rawValue).joined(separator: ", ")
      self.init(
        .heldBack,
        .failure("Not logged in; nothing was sent.", ko: "로그인하지 않아 아무것도 보내지 않았습니다.")
          .because("There is no \(.field(parts)).", ko: "\(.field(parts), .subject) 없습니다.")
          .next("\(.command("login")) sets it.", ko: "\(.command("login"))으로 입력하세요."))
    case .unsendable(let part):
      self.init(
        .heldBack,
        .failure(
          "The \(.field(part.rawValue)) holds characters that cannot be sent.",
          ko: "\(.field(part.rawValue))에 보낼 수 없는 글자가 있습니다."))
    case .unsupported(let operation, let edition):
      self.init(
        .misread,
        Message(.failure, operation.missing).because(
          "Edition \(.value(edition.rawValue)) of the API does not have that.",
          ko: "\(.value(edition.rawValue)) 버전의 API에는 없는 기능입니다."))
    case .needsCurrentProduct(let edition):
      self.init(
        .refused,
        .failure(
          "The product must be read first in edition \(edition.rawValue).",
          ko: "\(edition.rawValue) 버전에서는 상품을 먼저 읽어야 합니다."))
    case .strangeDeletionAddress(let excerpt):
      self.init(
        .refused,
        .failure("Nothing was deleted.", ko: "아무것도 삭제하지 않았습니다.")
          .because(
            "The server named an address for it that is not its own: \(.foreign(excerpt))",
            ko: "서버가 자신의 것이 아닌 주소를 알려 주었습니다: \(.foreign(excerpt))"))
    case .unknownEdition:
      self.init(
        .refused,
        .failure("No edition of the API was recognised there.", ko: "그곳에서 아는 버전의 API를 찾지 못했습니다.")
          .next("Say which it is: \(.command("--api open"))", ko: "어느 버전인지 지정하세요: \(.command("--api open"))"))
    }
  }

  private static func refused(_ status: Int, _ message: String?) -> Message {
    let refused = Message.failure("The server refused.", ko: "서버가 거절했습니다.")
    guard let complaint = message.flatMap({ Complaint($0) }) else { return refused.because(answer(status, message)) }
    let explained = refused.because(complaint.wording).because(answer(status, message))
    return complaint.next.map { explained.next($0) } ?? explained
  }

  private static func answer(_ status: Int, _ message: String?) -> LocalizedText {
    guard let message, !message.isEmpty else {
      return LocalizedText("It answered \(status) without a word.", ko: "본문 없이 \(status), .object) 반환했습니다.")
    }
    return LocalizedText("It answered \(status): \(.foreign(message))", ko: "응답 \(status): \(.foreign(message))")
  }

  private static func unreadable(_ status: Int, _ kind: MarketError.Kind, _ excerpt: String) -> Message {
    let what: LocalizedText =
      switch kind {
      case .empty: LocalizedText("It answered \(status) with nothing.", ko: "응답 \(status): 본문이 비어 있습니다.")
      case .html: LocalizedText("It answered \(status) with a web page.", ko: "응답 \(status): 웹 페이지가 왔습니다.")
      case .text: LocalizedText("It answered \(status) with plain text.", ko: "응답 \(status): 일반 텍스트가 왔습니다.")
      case .json: LocalizedText("It answered \(status) with other JSON.", ko: "응답 \(status): 다른 형태의 JSON이 왔습니다.")
      case .field(let field, let found):
        LocalizedText(
          "Its field \(.foreign(field)) is \(.foreign(found)).", ko: "필드 \(.foreign(field))의 값이 \(.foreign(found))입니다.")
      case .list(let editions):
        LocalizedText(
          "It answered \(status) with a list of edition \(.value(editions.map(\.rawValue).joined(separator: "/"))).",
          ko: "응답 \(status): \(.value(editions.map(\.rawValue).joined(separator: "/"))) 버전의 목록이 왔습니다.")
      case .otherProduct(let id): LocalizedText("It answered with product \(id).", ko: "\(id)번 상품이 왔습니다.")
      }
    var message = Message.failure("The answer is not a market's.", ko: "마켓의 응답이 아닙니다.").because(what)
    if !excerpt.isEmpty { message = message.because(LocalizedText(same: "\(.foreign(excerpt))")) }
    return message.next(
      "\(.command("session")) shows the address and edition.", ko: "\(.command("session"))에서 주소와 버전을 볼 수 있습니다.")
  }
}

extension Operation {
  /// The description of the operation that this edition doesn't support.
  fileprivate var missing: LocalizedText {
    switch self {
    case .list, .show, .create, .edit, .delete, .requestDeletion, .askOwnership:
      LocalizedText("This cannot be done here.", ko: "여기서는 할 수 없습니다.")
    case .search: LocalizedText("The server cannot search.", ko: "서버에 검색이 없습니다.")
    case .pageSize: LocalizedText("The size of a page cannot be chosen.", ko: "페이지 크기를 고를 수 없습니다.")
    case .chooseThumbnail: LocalizedText("The thumbnail cannot be chosen.", ko: "대표 사진을 고를 수 없습니다.")
    case .replacePictures:
      LocalizedText("Pictures cannot be changed after a product was made.", ko: "등록한 뒤에는 사진을 바꿀 수 없습니다.")
    case .fractionalPrices: LocalizedText("Prices have no decimals here.", ko: "여기서는 금액에 소수점을 쓸 수 없습니다.")
    case .checkHealth: LocalizedText("There is no health check.", ko: "상태 확인 주소가 없습니다.")
    }
  }
}

extension Failure {
  package init(_ misread: ParseError) {
    var message = Message(.failure, misread.what)
    if let next = misread.next { message = message.next(next) }
    if misread.pointsAtPlace, let line = misread.line, let range = misread.range {
      message.excerpt = Excerpt(line, range)
    }
    self.init(.misread, message)
  }
}

extension Failure {
  /// The failure for a secret that can't be sent, both when logging in and when sending a request.
  ///
  /// Nothing was sent.
  package static let unsendableSecret = Failure(
    .misread,
    .failure("The secret holds characters that cannot be sent.", ko: "시크릿에 보낼 수 없는 글자가 있습니다.")
      .because(
        "A secret is one line of text, 1000 bytes at most.", ko: "시크릿은 1000바이트 이하의 텍스트 한 줄입니다."))
}

extension Complaint {
  /// The reason for the rejection as a sentence.
  package var wording: LocalizedText {
    switch self {
    case .wrongSecret: LocalizedText("The secret does not fit.", ko: "시크릿이 맞지 않습니다.")
    case .wrongPassword: LocalizedText("The password does not fit this product.", ko: "이 상품의 비밀번호가 아닙니다.")
    case .unknownVendor: LocalizedText("The server does not know this identifier.", ko: "서버가 모르는 식별자입니다.")
    case .foreignProduct: LocalizedText("It is another vendor's product.", ko: "다른 판매자의 상품입니다.")
    case .missing(let part):
      LocalizedText("The request lacked its part \(.foreign(part)).", ko: "요청에 \(.foreign(part)) 파트가 없었습니다.")
    case .tooManyPictures: LocalizedText("There were too many pictures.", ko: "사진이 너무 많았습니다.")
    case .notAForm:
      LocalizedText("The server wants a form (multipart/form-data).", ko: "서버는 폼(multipart/form-data)으로 받습니다.")
    case .unreadableForm: LocalizedText("The server could not read the form.", ko: "서버가 폼을 읽지 못했습니다.")
    case .unreadableJSON: LocalizedText("The server could not read the JSON.", ko: "서버가 JSON을 읽지 못했습니다.")
    }
  }

  /// The advice on how to continue, or `nil` if there is none.
  package var next: LocalizedText? {
    guard isAboutLogin else { return nil }
    return self == .unknownVendor
      ? LocalizedText(
        "\(.command("login identifier=ID")) sets another.", ko: "\(.command("login identifier=ID"))로 바꾸세요.")
      : LocalizedText("\(.command("login")) sets the secret.", ko: "\(.command("login"))으로 시크릿을 입력하세요.")
  }

  /// A Boolean value that indicates whether other credentials would help.
  package var isAboutLogin: Bool {
    switch self {
    case .wrongSecret, .wrongPassword, .unknownVendor: true
    case .missing(let part): part == "identifier" || part == "secret" || part == "password"
    case .foreignProduct, .tooManyPictures, .notAForm, .unreadableForm, .unreadableJSON: false
    }
  }
}
