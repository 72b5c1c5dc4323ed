import Catalog
import Language
import Networking
import Platform
import Presentation
import Text
import Weather

extension Failure {
  /// Creates the failure for a read without a complete response, or for a write that certainly wasn't sent.
  package init(_ failure: TransportFailure) {
    switch failure.reason {
    case .nameNotFound(let host):
      self.init(
        .unreachable,
        Failure.unreachable.because(
          "There is no host \(.foreign(host)).", ko: "호스트 \(.foreign(host), .object) 찾을 수 없습니다."))
    case .refused:
      self.init(
        .unreachable,
        Failure.unreachable.because("The connection was refused.", ko: "연결을 거절했습니다.")
          .next(
            "Is it running? \(.command("session")) shows the address.",
            ko: "서버가 실행 중인가요? \(.command("session"))에서 주소를 볼 수 있습니다."))
    case .tls(let reason):
      self.init(
        .unreachable,
        Failure.unreachable.because(
          "No safe connection: \(.foreign(reason))", ko: "안전한 연결을 맺지 못했습니다: \(.foreign(reason))"))
    case .insecure(let host): self = .plainHTTP(to: host)
    case .timedOut:
      self.init(
        .unreachable, Failure.unreachable.because("No complete answer came in time.", ko: "제한 시간 안에 응답이 없었습니다."))
    case .cutOff:
      self.init(
        .unreachable,
        .failure("No complete response came.", ko: "응답을 끝까지 받지 못했습니다.")
          .because("The connection was closed before its end.", ko: "응답이 끝나기 전에 연결이 끊겼습니다."))
    case .notHTTP(let words):
      self.init(
        .unreachable,
        Failure.unreachable.because(
          "Something answers there, but not in HTTP (\(.foreign(words))).",
          ko: "응답이 HTTP가 아닙니다(\(.foreign(words)))."
        ).next(
          "Is the port right? \(.command("session")) shows the address.",
          ko: "포트가 맞나요? \(.command("session"))에서 주소를 볼 수 있습니다."))
    case .noTLS:
      self.init(
        .unreachable,
        Failure.unreachable.because("The server there speaks no TLS.", ko: "그 서버는 TLS를 사용하지 않습니다.")
          .next("Is it \(.value("http://")) on this machine?", ko: "이 컴퓨터의 \(.value("http://")) 서버인가요?"))
    case .tooLarge(let limit):
      self.init(
        .refused,
        .failure("The answer was too large; stopped at \(limit) bytes.", ko: "응답이 너무 커서 \(limit)바이트에서 멈췄습니다."))
    case .cancelled: self = .interrupted
    case .badAddress(let text):
      self.init(
        .misread,
        .failure(
          "\(.value(text)) is not an address that can be asked.", ko: "\(.value(text), .topic) 요청할 수 있는 주소가 아닙니다."))
    case .badHeader(let name):
      self.init(
        .misread,
        .failure("The header \(.value(name)) cannot be sent.", ko: "헤더 \(.value(name), .object) 보낼 수 없습니다."))
    case .badForm:
      self.init(.refused, .failure("The form could not be made; nothing was sent.", ko: "폼을 만들지 못해 아무것도 보내지 않았습니다."))
    case .notRecorded(let request):
      self.init(
        .unreachable,
        .failure("The recording has no answer to \(.value(request)).", ko: "기록에 \(.value(request))의 응답이 없습니다.")
          .because(
            "It was not asked when the recording was made, or, a write, not so often.",
            ko: "기록할 때 요청하지 않았거나, 변경이라면 그만큼 여러 번 요청하지 않았습니다."))
    case .other(let text):
      self.init(.unreachable, Failure.unreachable.because(LocalizedText(same: "\(.foreign(text))")))
    }
  }

  /// Returns the failure for a request with a secret over plain `http` to another machine without permission.
  package static func plainHTTP(to host: String) -> Failure {
    Failure(
      .heldBack,
      .failure("A secret is not sent over plain http; nothing was sent.", ko: "시크릿은 http로 보내지 않습니다. 아무것도 보내지 않았습니다.")
        .because(
          "Everyone on the way to \(.foreign(host)) could read it.",
          ko: "\(.foreign(host))까지 가는 길에서 누구나 읽을 수 있습니다."
        )
        .next(
          "Use https, or start with \(.command("--insecure-http")), or \(.command("profile NAME http=allow")).",
          ko: "https를 쓰거나, \(.command("--insecure-http"))로 시작하거나, \(.command("profile 이름 http=allow"), .object) 쓰세요."))
  }

  private static var unreachable: Message {
    .failure("The server could not be reached.", ko: "서버에 연결하지 못했습니다.")
  }
}

extension ParseError {
  package init(_ misread: PlaceError) {
    self.init(
      misread.reason,
      next: LocalizedText(
        "\(.command("weather 37.57 126.98")), \(.command("weather 서울"))",
        ko: "\(.command("weather 37.57 126.98")), \(.command("weather 서울"))"))
  }
}

extension Failure {
  package init(_ error: WeatherError) {
    self.init(
      error.exitStatus,
      Failure.noWeather.because(Failure.clause(error.reason)).advised(error.advice))
  }

  /// Creates the failure for a weather report without any data.
  ///
  /// Every failed part is listed.
  package init(_ report: WeatherReport) {
    var message = Failure.noWeather
    for failure in report.failures {
      message = message.because(
        "\(failure.name.english): \(failure.error.reason.english).",
        ko: "\(failure.name.korean): \(failure.error.reason.korean).")
    }
    let isUnreached = report.errors.allSatisfy { $0.exitStatus == .unreachable }
    self.init(isUnreached ? .unreachable : .refused, message.advised(report.errors.compactMap(\.advice).first))
  }

  private static let noWeather = Message.failure("There is no weather to show.", ko: "보여 줄 날씨가 없습니다.")

  /// Returns a clause as a sentence, with a capital letter and a period.
  private static func clause(_ words: LocalizedText) -> LocalizedText {
    var english = words.english
    if let first = english.runs.indices.first {
      let text = english.runs[first].text
      english.runs[first].text = text.prefix(1).uppercased() + text.dropFirst()
    }
    return LocalizedText("\(english).", ko: "\(words.korean).")
  }
}

extension Message {
  fileprivate func advised(_ advice: LocalizedText?) -> Message { advice.map { next($0) } ?? self }
}

extension WeatherError {
  /// The exit status for this reason.
  var exitStatus: ExitStatus {
    switch self {
    case .keyMissing, .keyUnusable: .heldBack
    case .unreachable, .timedOut: .unreachable
    case .keyRefused, .notFound, .badRequest, .tooManyRequests, .serverTrouble, .refused, .unreadable: .refused
    }
  }
}
