import Catalog
import CommandLanguage
import MarketAPI
import Networking
import Platform
import Presentation
import Text

extension CommandError {
  package init(_ error: MarketError) {
    switch error {
    case .refused(let status, let message):
      self.init(.refused, CommandError.refused(status, message))
    case .notFound(let message):
      let failure = Message.failure("Not found on the server.", ko: "서버에 없습니다.")
      self.init(
        .refused, message == "" ? failure : failure.because(CommandError.responseReason(404, message)), code: .notFound)
    case .tooManyRequests(let seconds, let message):
      var failure = Message.failure("The server is busy (429: too many requests).", ko: "서버가 요청을 처리하지 못하고 있습니다.")
        .because(CommandError.responseReason(429, message))
      if let seconds { failure = failure.next(RetryAfter.advice(after: seconds)) }
      self.init(.refused, failure, code: .rateLimited)
    case .redirected(let status, nil):
      self.init(
        .refused,
        .failure(
          "The server responded with a redirect status, but without a URL.", ko: "서버가 리다이렉트로 응답했지만 이동할 주소를 알려 주지 않았습니다."
        ).because("Status \(status).", ko: "상태 코드 \(status)."))
    case .redirected(let status, let target?):
      self.init(
        .refused,
        .failure(
          "The server redirected to another URL. The redirect was not followed.", ko: "서버가 다른 주소로 리다이렉트했지만 따라가지 않았습니다."
        )
        .because(CommandError.redirectReason(status, to: target)))
    case .unreadable(let status, let kind, let excerpt):
      self.init(.refused, CommandError.unreadable(status, kind: kind, excerpt: excerpt), code: .unreadableResponse)
    case .notLoggedIn(let missing):
      let parts = missing.map(\.rawValue).joined(separator: ", ")
      self.init(
        .blocked,
        .failure("Not logged in. Nothing was sent.", ko: "로그인하지 않았습니다. 아무것도 보내지 않았습니다.")
          .because("Missing: \(.field(parts)).", ko: "\(.field(parts), .subject) 없습니다.")
          .next("Run \(.command("login")) to set it.", ko: "\(.command("login"), .object) 실행해 입력하세요."),
        code: .notLoggedIn)
    case .invalidCredential(let part):
      self.init(
        .blocked,
        .failure(
          "The \(.field(part.rawValue)) contains characters that cannot be sent.",
          ko: "\(.field(part.rawValue))에 보낼 수 없는 문자가 있습니다."))
    case .unsupported(let operation, let dialect):
      self.init(
        .usageError,
        dialect.edition == nil
          ? operation.missing(in: dialect)
          : Message(.failure, operation.missing).because(
            "Not available in API edition \(.value(dialect.name)).",
            ko: "\(.value(dialect.name)) API 버전에는 없는 기능입니다."), code: .unsupported)
    case .undescribed(let operations, let fields, let dialect):
      self.init(.blocked, Message.undescribed(operations, fields, in: dialect))
    case .unsuitedProduct(let mismatch):
      self.init(.blocked, CommandError.mismatch(mismatch, status: 200))
    case .needsCurrentProduct(let dialect):
      self.init(
        .refused,
        .failure(
          "In edition \(dialect.name), the product must be read first.",
          ko: "\(dialect.name) API 버전에서는 상품을 먼저 읽어야 합니다."))
    case .invalidDeletionURL(let excerpt):
      self.init(
        .refused,
        .failure("Nothing was deleted.", ko: "아무것도 삭제하지 않았습니다.")
          .because(
            "The server returned a delete URL on another host: \(.foreign(excerpt))",
            ko: "서버가 알려 준 삭제 주소가 다른 서버의 것입니다: \(.foreign(excerpt))"))
    case .unknownEdition(let response):
      var message = Message.failure("Could not detect the server's API edition.", ko: "서버의 API 버전을 알 수 없습니다.")
      let cause = CommandError(response).message
      // The beginning of a web page's source says nothing more.
      message.reasons = response.isWebPage ? Array(cause.reasons.prefix(1)) : cause.reasons
      if case .tooManyRequests = response { message.nextSteps = cause.nextSteps }
      self.init(
        .refused,
        message.next(
          "Run \(.command("session")) to check the URL, which ends before \(.value("/api/products")).",
          ko: "주소는 \(.value("/api/products")) 앞까지입니다. 확인: \(.command("session"))"
        ).next(CommandError.namingEdition))
    }
  }

  /// The next step if the edition can't be detected.
  static let namingEdition = LocalizedText(
    "Set the edition yourself: \(.command("--api open"))", ko: "API 버전을 지정하세요: \(.command("--api open"))")

  private static func refused(_ status: Int, _ message: String?) -> Message {
    let refused = Message.failure("The server refused the request.", ko: "서버가 거부했습니다.")
    guard let complaint = message.flatMap({ ServerErrorReason($0) }) else {
      let plain = refused.because(responseReason(status, message))
      return status == 401 ? ServerErrorReason.wrongSecret.hint.map { plain.next($0) } ?? plain : plain
    }
    let explained = refused.because(complaint.message).because(responseReason(status, message))
    return complaint.hint.map { explained.next($0) } ?? explained
  }

  private static func responseReason(_ status: Int, _ message: String?) -> LocalizedText {
    guard let message else {
      return LocalizedText("Status \(status), empty response.", ko: "응답 \(status): 본문이 비어 있습니다.")
    }
    guard !message.isEmpty else {
      return LocalizedText("Status \(status) with data that is not text.", ko: "응답 \(status): 텍스트가 아닌 데이터가 왔습니다.")
    }
    return LocalizedText("Status \(status): \(.foreign(message))", ko: "응답 \(status): \(.foreign(message))")
  }

  /// Returns the reason with the target without what may be secret in it: user information and query.
  private static func redirectReason(_ status: Int, to target: String) -> LocalizedText {
    let shown = String(target.withoutUserInformation.prefix { !"?#".contains($0) })
    return LocalizedText(
      "Status \(status), redirect to \(.foreign(shown)).", ko: "상태 코드 \(status), 리다이렉트 주소 \(.foreign(shown)).")
  }

  /// Returns the message for a product whose text can't be read, without the text.
  private static func invalidText(_ fault: InvalidText, _ id: Product.ID?) -> Message {
    let byte = fault.offset + 1
    let place = LocalizedText(
      id.map { "byte \(byte), product \($0)" } ?? "byte \(byte)",
      ko: id.map { "\(byte)번째 바이트, \($0)번 상품" } ?? "\(byte)번째 바이트")
    let message =
      switch fault.kind {
      case .notUTF8:
        Message.failure(
          "The response is not UTF-8 (\(place[.english])).", ko: "응답이 UTF-8이 아닙니다(\(place[.korean])).")
      case .unpairedSurrogate:
        Message.failure(
          "The response contains half of a surrogate pair (\(place[.english])).",
          ko: "응답에 서로게이트 쌍의 절반만 있습니다(\(place[.korean])).")
      }
    return message.because(
      "A text in it is damaged, or in a charset that the response does not name.",
      ko: "텍스트가 손상되었거나, 응답에 이름이 없는 문자 인코딩입니다."
    ).next("Run \(.command("calls show")) to see the response.", ko: "응답은 \(.command("calls show"), .toward) 볼 수 있습니다.")
  }

  private static func unreadable(_ status: Int, kind: MarketError.BodyKind, excerpt: String) -> Message {
    if case .invalidText(let fault, let id) = kind { return invalidText(fault, id) }
    if case .mismatch(let mismatch) = kind { return CommandError.mismatch(mismatch, status: status) }
    let what: LocalizedText =
      switch kind {
      case .empty: LocalizedText("Status \(status), empty response.", ko: "응답 \(status): 본문이 비어 있습니다.")
      case .html: LocalizedText("Status \(status) with a web page.", ko: "응답 \(status): 웹 페이지가 왔습니다.")
      case .text: LocalizedText("Status \(status) with plain text.", ko: "응답 \(status): 일반 텍스트가 왔습니다.")
      case .binary:
        LocalizedText("Status \(status) with data that is not text.", ko: "응답 \(status): 텍스트가 아닌 데이터가 왔습니다.")
      case .json: LocalizedText("Status \(status) with unexpected JSON.", ko: "응답 \(status): 다른 형태의 JSON이 왔습니다.")
      case .field(let field, let found):
        LocalizedText(
          "Field \(.foreign(field)) is \(.foreign(found)).", ko: "필드 \(.foreign(field))의 값이 \(.foreign(found))입니다.")
      case .list(let editions):
        LocalizedText(
          "Status \(status) with a list of edition \(.value(editions.map(\.rawValue).joined(separator: "/"))).",
          ko: "응답 \(status): \(.value(editions.map(\.rawValue).joined(separator: "/"))) API 버전의 목록이 왔습니다.")
      case .invalidText(let fault, _): LocalizedText(same: "\(fault.description)")
      case .mismatch(let mismatch): LocalizedText(same: "\(mismatch.location)")
      case .otherProduct(let id): LocalizedText("It returned product \(id).", ko: "\(id)번 상품이 왔습니다.")
      }
    var message = Message.failure(
      "Unexpected response: this does not look like an Open Market server.",
      ko: "예상하지 못한 응답입니다. Open Market 서버가 아닐 수 있습니다."
    ).because(what)
    if !excerpt.isEmpty { message = message.because(LocalizedText(same: "\(.foreign(excerpt))")) }
    return message.next(
      "Run \(.command("session")) to check the URL and edition.", ko: "주소와 API 버전은 \(.command("session"))에서 볼 수 있습니다.")
  }
}

extension MarketError {
  fileprivate var isWebPage: Bool {
    if case .unreadable(_, .html, _) = self { true } else { false }
  }
}

extension Operation {
  /// Returns the message for a market that a file describes.
  fileprivate func missing(in dialect: Dialect) -> Message {
    switch self {
    case .replacePictures:
      .failure(
        "This market takes addresses of images, and no files. Nothing was sent.",
        ko: "이 마켓은 사진 파일이 아니라 주소를 받습니다. 아무것도 보내지 않았습니다.")
    case .create, .edit, .delete, .requestDeletion, .verifyPassword, .chooseThumbnail:
      Message.undescribed([self], [], in: dialect)
    case .list, .search, .pageSize, .show, .fractionalPrices, .checkHealth:
      Message(.failure, missing).because(
        "The file of \(.value(dialect.name)) describes no such request.",
        ko: "\(.value(dialect.name)) 파일에 그런 요청이 없습니다.")
    }
  }

  /// The description of the operation that this market doesn't support.
  fileprivate var missing: LocalizedText {
    switch self {
    case .list, .show, .create, .edit, .delete, .requestDeletion, .verifyPassword:
      LocalizedText("This edition does not support that.", ko: "지원하지 않는 기능입니다.")
    case .search: LocalizedText("This server does not support search.", ko: "서버에 검색이 없습니다.")
    case .pageSize: LocalizedText("This server does not support choosing the page size.", ko: "페이지 크기를 고를 수 없습니다.")
    case .chooseThumbnail:
      LocalizedText("This server does not support choosing the thumbnail.", ko: "대표 사진을 고를 수 없습니다.")
    case .replacePictures:
      LocalizedText("Images cannot be changed after a product is created.", ko: "등록한 뒤에는 사진을 바꿀 수 없습니다.")
    case .fractionalPrices:
      LocalizedText("Prices must be whole numbers in this edition.", ko: "이 API 버전의 가격은 정수여야 합니다.")
    case .checkHealth: LocalizedText("This server has no health check.", ko: "상태 확인 주소가 없습니다.")
    }
  }
}

extension CommandError {
  package init(_ misread: ParseError) {
    var message = Message(.failure, misread.message)
    if let next = misread.suggestion { message = message.next(next) }
    if misread.showsCaret, let line = misread.line, let range = misread.range {
      message.excerpt = Excerpt(line, range)
    }
    self.init(.usageError, message)
  }
}

extension CommandError {
  /// The failure for a secret that can't be sent, both when logging in and when sending a request.
  ///
  /// Nothing was sent.
  package static let unsendableSecret = CommandError(
    .usageError,
    .failure("The secret contains characters that cannot be sent.", ko: "시크릿에 보낼 수 없는 문자가 있습니다.")
      .because(
        "A secret is a single line of up to 1000 bytes.", ko: "시크릿은 1000바이트 이하의 텍스트 한 줄입니다."))
}

extension ServerErrorReason {
  /// The reason for the rejection as a sentence.
  package var message: LocalizedText {
    switch self {
    case .wrongSecret: LocalizedText("The secret is wrong.", ko: "시크릿이 맞지 않습니다.")
    case .wrongPassword: LocalizedText("The password does not match this product.", ko: "이 상품의 비밀번호가 아닙니다.")
    case .unknownVendor: LocalizedText("The server does not recognize this identifier.", ko: "서버가 모르는 식별자입니다.")
    case .foreignProduct: LocalizedText("The product belongs to another vendor.", ko: "다른 판매자의 상품입니다.")
    case .wrongDeletionKey:
      LocalizedText("The delete URL or key is not one of this product.", ko: "이 상품의 삭제 주소나 키가 아닙니다.")
    case .missing(.part, let name):
      LocalizedText("The request has no part \(.foreign(name)).", ko: "요청에 \(.foreign(name)) 파트가 없었습니다.")
    case .missing(.member, let name):
      LocalizedText(
        "The JSON of the request has no \(.foreign(name)).", ko: "요청의 JSON에 \(.foreign(name), .subject) 없었습니다.")
    case .missing(.header, let name):
      LocalizedText("The request has no header \(.foreign(name)).", ko: "요청에 \(.foreign(name)) 헤더가 없었습니다.")
    case .missing(.value, let name):
      LocalizedText("The request has no \(.foreign(name)).", ko: "요청에 \(.foreign(name), .subject) 없었습니다.")
    case .invalidValue(let name):
      LocalizedText("The server does not accept this \(.foreign(name)).", ko: "서버가 이 \(.foreign(name)) 값을 받지 않습니다.")
    case .wrongType(let name):
      LocalizedText("The type of \(.foreign(name)) is wrong.", ko: "\(.foreign(name)) 값의 형식이 맞지 않습니다.")
    case .notANumber:
      LocalizedText("The URL has text where a number is expected.", ko: "주소에서 숫자가 올 자리에 다른 글자가 있습니다.")
    case .noProduct: LocalizedText("The product does not exist.", ko: "상품이 없습니다.")
    case .unsupportedMethod:
      LocalizedText("This URL does not take that method.", ko: "이 주소에서는 쓸 수 없는 메서드입니다.")
    case .otherID:
      LocalizedText("The id in the body differs from the one in the URL.", ko: "본문의 id가 주소의 id와 다릅니다.")
    case .unknownHost:
      LocalizedText("The server was started for other host names.", ko: "서버가 다른 호스트 이름으로 시작되었습니다.")
    case .fromWebPage: LocalizedText("The request came from a web page.", ko: "웹 페이지가 보낸 요청입니다.")
    case .tooManyPictures: LocalizedText("Too many images.", ko: "사진이 너무 많았습니다.")
    case .notAForm:
      LocalizedText("The server expects a form (multipart/form-data).", ko: "서버가 폼(multipart/form-data)을 요구합니다.")
    case .unreadableForm: LocalizedText("The server could not read the form.", ko: "서버가 폼을 읽지 못했습니다.")
    case .unreadableJSON: LocalizedText("The server could not read the JSON.", ko: "서버가 JSON을 읽지 못했습니다.")
    }
  }

  /// The advice on how to continue, or `nil` if there is none.
  package var hint: LocalizedText? {
    guard isAuthenticationError else { return nil }
    return self == .unknownVendor
      ? LocalizedText(
        "Run \(.command("login identifier=ID")) to use another identifier.",
        ko: "다른 식별자를 쓰려면 \(.command("login identifier=ID"), .object) 실행하세요.")
      : LocalizedText(
        "Run \(.command("login")) to set the secret.", ko: "시크릿을 입력하려면 \(.command("login"), .object) 실행하세요.")
  }

  /// A Boolean value that indicates whether other credentials would help.
  package var isAuthenticationError: Bool {
    switch self {
    case .wrongSecret, .wrongPassword, .unknownVendor: true
    case .missing(_, let name): name == "identifier" || name == "secret" || name == "password"
    case .wrongDeletionKey, .invalidValue, .wrongType, .notANumber, .noProduct, .unsupportedMethod, .otherID,
      .unknownHost, .fromWebPage, .foreignProduct, .tooManyPictures, .notAForm, .unreadableForm, .unreadableJSON:
      false
    }
  }
}
