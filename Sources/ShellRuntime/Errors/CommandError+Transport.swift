import CommandLanguage
import Foundation
import Networking
import Platform
import Presentation
import Text
import WriteJournal

extension CommandError {
  /// Creates the failure for a read without a complete response, or for a write that certainly wasn't sent.
  ///
  /// A server that responded with whatever isn't unreachable.
  package init(_ failure: TransportError) {
    switch failure.reason {
    case .nameNotFound(let host):
      self.init(
        .unreachable,
        CommandError.unreachable.because(
          "Host not found: \(.foreign(host)).", ko: "호스트 \(.foreign(host), .object) 찾을 수 없습니다."))
    case .connectionRefused:
      self.init(
        .unreachable,
        CommandError.unreachable.because("Connection refused.", ko: "서버가 연결을 거부했습니다.")
          .next(
            "Is the server running? Run \(.command("session")) to check the URL.",
            ko: "서버가 실행 중인가요? \(.command("session"))에서 주소를 볼 수 있습니다."))
    case .networkUnreachable:
      self.init(
        .unreachable,
        CommandError.unreachable.because("The network is unreachable.", ko: "네트워크에 연결할 수 없습니다."))
    case .tls(let reason):
      self.init(
        .unreachable,
        CommandError.unreachable.because(
          "Cannot establish a secure connection: \(.foreign(reason))", ko: "안전한 연결을 맺지 못했습니다: \(.foreign(reason))"
        ).next(
          "If you trust its certificate, name the file of its issuer: \(.command("profile NAME ca=FILE.pem"))",
          ko: "믿는 서버의 인증서라면 발급자의 파일을 지정하세요: \(.command("profile 이름 ca=파일.pem"))"))
    case .insecureHost(let host): self = .plainHTTP(to: host)
    case .methodNotAllowed(let method):
      self.init(
        .blocked,
        .failure("Nothing may be written here. Nothing was sent.", ko: "여기서는 변경할 수 없습니다. 아무것도 보내지 않았습니다.")
          .because("A \(method.rawValue) request is not a read.", ko: "\(method.rawValue) 요청은 조회가 아닙니다."),
        code: .readOnly)
    case .timedOut:
      guard let status = failure.status else {
        self.init(
          .unreachable,
          CommandError.unreachable.because("The server did not respond in time.", ko: "제한 시간 안에 응답이 없었습니다."))
        return
      }
      self = .incompleteResponse(
        LocalizedText(
          "Status \(status) arrived, but the rest of the response did not arrive in time.",
          ko: "상태 코드 \(status)번 응답이 왔지만 나머지가 제한 시간 안에 오지 않았습니다."))
    case .connectionClosed:
      guard let status = failure.status else {
        self.init(
          .unreachable,
          .failure("The server did not respond.", ko: "서버가 응답하지 않았습니다.")
            .because("The connection was closed before a response.", ko: "응답이 오기 전에 연결이 끊겼습니다."))
        return
      }
      self = .incompleteResponse(
        LocalizedText(
          "Status \(status) arrived, but the connection was closed before the end of the response.",
          ko: "상태 코드 \(status)번 응답이 왔지만 끝나기 전에 연결이 끊겼습니다."))
    case .notHTTP(let words):
      self.init(
        .refused,
        CommandError.unusableResponse.because(
          "The response is not HTTP (\(.foreign(words))).",
          ko: "응답이 HTTP가 아닙니다(\(.foreign(words)))."
        ).next(
          "Is the port correct? Run \(.command("session")) to check the URL.",
          ko: "포트가 맞나요? \(.command("session"))에서 주소를 볼 수 있습니다."), code: .unreadableResponse)
    case .invalidHTTP(let fault):
      self.init(
        .refused,
        CommandError.unusableResponse.because(fault.wording).next(
          "Lenient clients such as curl may read it. Report the fault to the owner of the server.",
          ko: "curl처럼 너그러운 프로그램은 읽을 수도 있습니다. 서버 담당자에게 알리세요."), code: .unreadableResponse)
    case .headerFieldsTooLong:
      self.init(
        .refused,
        CommandError.unusableResponse.because(
          "Its header fields are too long.", ko: "응답 헤더가 너무 깁니다."), code: .unreadableResponse)
    case .undecodableContent(let fault):
      self.init(
        .refused,
        .failure("The compressed response cannot be read.", ko: "압축된 응답을 읽을 수 없습니다.").because(fault.wording),
        code: .unreadableResponse)
    case .proxyLoginRequired:
      self.init(
        .unreachable,
        CommandError.unreachable.because("The proxy asks for a login (status 407).", ko: "프록시가 로그인을 요구합니다(상태 코드 407).")
          .next(
            "Proxies with a login are not supported. To use another one, run \(.command("profile NAME proxy=…")).",
            ko: "로그인이 필요한 프록시는 지원하지 않습니다. 다른 프록시를 쓰려면 \(.command("profile 이름 proxy=…"), .object) 실행하세요."))
    case .serverDoesNotSpeakTLS:
      self.init(
        .unreachable,
        CommandError.unreachable.because("The server does not support TLS.", ko: "그 서버는 TLS를 사용하지 않습니다.")
          .next("Did you mean \(.value("http://"))?", ko: "\(.value("http://")) 주소인지 확인하세요."))
    case .tooLarge(let limit):
      self.init(
        .refused,
        .failure("The response is too large (more than \(limit) bytes).", ko: "응답이 너무 커서 \(limit)바이트에서 멈췄습니다."))
    case .cancelled: self = .interrupted
    case .invalidURL(let address):
      let text = address.withoutUserInformation
      self.init(
        .usageError,
        .failure(
          "Invalid URL: \(.value(text)).", ko: "\(.value(text), .topic) 요청할 수 있는 주소가 아닙니다."))
    case .invalidHeader(let name):
      self.init(
        .usageError,
        .failure("Cannot send the header \(.value(name)).", ko: "헤더 \(.value(name), .object) 보낼 수 없습니다."))
    case .invalidMultipart:
      self.init(.refused, .failure("Could not create the form. Nothing was sent.", ko: "폼을 만들지 못했습니다. 아무것도 보내지 않았습니다."))
    case .notRecorded(let request):
      self.init(
        .unreachable,
        .failure("The recording has no response for \(.value(request)).", ko: "녹화 파일에 \(.value(request))의 응답이 없습니다.")
          .because(
            "This request was not made during the recording, or (for write requests) not as often.",
            ko: "녹화할 때 없던 요청이거나, 변경 요청이라면 녹화된 횟수보다 많이 요청했습니다."))
    case .other(let text):
      self.init(.unreachable, CommandError.unreachable.because(LocalizedText(same: "\(.foreign(text))")))
    }
  }

  /// Returns the failure for a request with a secret over plain `http` to another machine without permission.
  package static func plainHTTP(to host: String) -> CommandError {
    CommandError(
      .blocked,
      .failure(
        "Secrets are not sent over unencrypted http. Nothing was sent.",
        ko: "시크릿은 암호화되지 않은 http로 보내지 않습니다. 아무것도 보내지 않았습니다."
      )
      .because(
        "Others on the network could read the secret on its way to \(.foreign(host)).",
        ko: "\(.foreign(host))까지 가는 동안 네트워크의 다른 사람이 시크릿을 읽을 수 있습니다."
      )
      .next(
        "Use https, start with \(.command("--insecure-http")), or set \(.command("profile NAME http=allow")).",
        ko:
          "https를 쓰거나, \(.command("--insecure-http"), .toward) 시작하거나, \(.command("profile 이름 http=allow"), .toward) 허용하세요."
      ), code: .plainHTTP)
  }

  private static var unreachable: Message {
    .failure("Cannot reach the server.", ko: "서버에 연결하지 못했습니다.")
  }

  private static var unusableResponse: Message {
    .failure("The response cannot be read.", ko: "응답을 읽을 수 없습니다.")
  }

  private static func incompleteResponse(_ reason: LocalizedText) -> CommandError {
    CommandError(
      .refused, .failure("The response was incomplete.", ko: "응답을 끝까지 받지 못했습니다.").because(reason),
      code: .unreadableResponse)
  }
}

extension ContentCodingFault {
  fileprivate var wording: LocalizedText {
    switch self {
    case .unsupported(let coding):
      LocalizedText(
        "Unsupported content coding: \(.foreign(coding)).", ko: "지원하지 않는 압축 방식입니다: \(.foreign(coding)).")
    case .otherFormat(let coding):
      LocalizedText(
        "Content-Encoding is \(.foreign(coding)), but the content has another format.",
        ko: "Content-Encoding은 \(.foreign(coding))인데 본문의 형식이 다릅니다.")
    case .damaged: LocalizedText("The compressed data is damaged.", ko: "압축된 데이터가 손상되었습니다.")
    case .truncated: LocalizedText("The compressed data is cut off.", ko: "압축된 데이터가 중간에 끊겼습니다.")
    case .trailingData:
      LocalizedText("Other data follows the compressed data.", ko: "압축된 데이터 뒤에 다른 데이터가 있습니다.")
    }
  }
}

extension TransportError {
  /// The reason as the journal stores it.
  package var evidence: Evidence {
    switch reason {
    case .nameNotFound(let host): .hostNotFound(host)
    case .connectionRefused: .connectionRefused
    case .networkUnreachable: .networkUnreachable
    case .tls(let text): .tlsFailed(text)
    case .timedOut: status == nil ? .noResponseInTime : .restOfResponseMissing
    case .connectionClosed: .connectionLost
    case .notHTTP: .notHTTP
    case .invalidHTTP: .invalidHTTP
    case .headerFieldsTooLong: .headerFieldsTooLong
    case .undecodableContent: .undecodableContent
    case .proxyLoginRequired: .proxyLoginRequired
    case .serverDoesNotSpeakTLS: .serverWithoutTLS
    case .tooLarge: .responseTooLarge
    case .cancelled: .interrupted
    case .insecureHost(let host): .insecureHost(host)
    case .methodNotAllowed(let method): .methodNotAllowed(method.rawValue)
    case .invalidURL(let text): .invalidURL(text.withoutUserInformation)
    case .invalidHeader(let name): .invalidHeader(name)
    case .invalidMultipart: .invalidForm
    case .notRecorded: .missingInRecording
    case .other(let text): .text(text)
    }
  }
}

extension TransportError.HTTPFault {
  fileprivate var wording: LocalizedText {
    switch self {
    case .headerField:
      LocalizedText(
        "A header field of the response is not valid HTTP/1.1: it is folded, or has a blank before the colon.",
        ko: "응답의 헤더 필드가 HTTP/1.1에 맞지 않습니다. 줄이 접혔거나 콜론 앞에 공백이 있습니다.")
    case .chunkSize:
      LocalizedText(
        "The size of a chunk of the response is not a hexadecimal number, or a blank follows it.",
        ko: "응답의 청크 크기가 16진수가 아니거나 뒤에 공백이 있습니다.")
    case .length:
      LocalizedText(
        "The length of the response is given twice, or is not one number.", ko: "응답의 길이가 두 번 적혔거나 수 하나가 아닙니다.")
    case .lineEnd:
      LocalizedText(
        "A line of the response does not end with CR LF, or its Transfer-Encoding is unknown.",
        ko: "응답의 줄이 CR LF로 끝나지 않거나 Transfer-Encoding을 알 수 없습니다.")
    }
  }
}
