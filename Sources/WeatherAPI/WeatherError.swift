import Networking
import Text

/// The error for missing weather, with cases that programs can distinguish.
///
/// The server's message is stored sanitized.
package enum WeatherError: Error, Hashable, Sendable {
  /// There is no key; nothing was sent.
  case keyMissing
  /// The key contains characters that no key has; nothing was sent.
  case keyMalformed
  /// Status 401.
  case keyRefused(String?)
  /// Status 404.
  case notFound(String?)
  /// Status 400.
  case badRequest(String?)
  /// Status 429, with the seconds to wait if the server specifies them.
  case tooManyRequests(retryAfter: Int?, String?)
  /// Status 5xx, often with an HTML page.
  case serverError(status: Int, String?)
  /// Any other status that is not a success.
  case refused(status: Int, String?)
  /// A success without weather in its body.
  case unreadable(status: Int)
  case unreachable(TransportError.Reason)
  case timedOut(seconds: Int)
}

extension WeatherError {
  /// The identifier for programs: the `kind` of the JSON format.
  package var kind: String {
    switch self {
    case .keyMissing: "key-missing"
    case .keyMalformed: "key-unusable"
    case .keyRefused: "key-refused"
    case .notFound: "not-found"
    case .badRequest: "bad-request"
    case .tooManyRequests: "too-many-requests"
    case .serverError: "server-trouble"
    case .refused: "refused"
    case .unreadable: "unreadable"
    case .unreachable: "unreachable"
    case .timedOut: "timed-out"
    }
  }

  /// The HTTP status, or `nil` without a response.
  package var status: Int? {
    switch self {
    case .keyMissing, .keyMalformed, .unreachable, .timedOut: nil
    case .keyRefused: 401
    case .notFound: 404
    case .badRequest: 400
    case .tooManyRequests: 429
    case .serverError(let status, _), .refused(let status, _), .unreadable(let status): status
    }
  }

  /// The server's sanitized message, or `nil` if there is none.
  package var serverText: String? {
    switch self {
    case .keyMissing, .keyMalformed, .unreadable, .unreachable, .timedOut: nil
    case .keyRefused(let text), .notFound(let text), .badRequest(let text), .tooManyRequests(_, let text),
      .serverError(_, let text), .refused(_, let text):
      text
    }
  }

  /// The reason as a clause without a period, for a line that names the failed part.
  package var reason: LocalizedText {
    switch self {
    case .keyMissing: LocalizedText("no API key is set", ko: "API 키가 없습니다")
    case .keyMalformed: LocalizedText("the API key contains invalid characters", ko: "API 키에 쓸 수 없는 문자가 있습니다")
    case .keyRefused: LocalizedText("the weather service rejected the API key (401)", ko: "날씨 서비스가 API 키를 거부했습니다 (401)")
    case .notFound: LocalizedText("not found by the weather service (404)", ko: "찾을 수 없습니다 (404)")
    case .badRequest(let text):
      LocalizedText(
        "the weather service rejected the request (400\(.foreign(detail(text))))",
        ko: "날씨 서비스가 요청을 거부했습니다 (400\(.foreign(detail(text))))")
    case .tooManyRequests: LocalizedText("too many requests (429)", ko: "요청이 너무 많습니다 (429)")
    case .serverError(let status, _):
      LocalizedText("the weather service has a problem (\(status))", ko: "서버에 문제가 있습니다 (\(status))")
    case .refused(let status, let text):
      LocalizedText(
        "the weather service refused the request (\(status)\(.foreign(detail(text))))",
        ko: "날씨 서비스가 요청을 거부했습니다 (\(status)\(.foreign(detail(text))))")
    case .unreadable(let status):
      LocalizedText("the response contains no weather data (\(status))", ko: "응답이 날씨 데이터가 아닙니다 (\(status))")
    case .unreachable(let failure): failure.reason
    case .timedOut(let seconds): LocalizedText("no response within \(seconds) s", ko: "\(seconds)초 안에 응답이 없습니다")
    }
  }

  /// The advice to the user, if there is any.
  package var recoverySuggestion: LocalizedText? {
    switch self {
    case .keyMissing, .keyMalformed:
      LocalizedText(
        "Set OPENWEATHER_API_KEY, or save a key in a profile: profile NAME weather_key=@file",
        ko: "OPENWEATHER_API_KEY를 설정하거나 프로필에 키를 저장하세요: profile 이름 weather_key=@파일")
    case .keyRefused:
      LocalizedText("A new key can take up to two hours to become active.", ko: "새 키는 최대 두 시간이 지나야 쓸 수 있습니다.")
    case .tooManyRequests(let seconds?, _): RetryAfter.advice(after: seconds)
    case .tooManyRequests(nil, _): LocalizedText("Try again in a minute.", ko: "1분 뒤에 다시 시도하세요.")
    case .serverError, .timedOut: LocalizedText("Try again later.", ko: "나중에 다시 시도하세요.")
    case .unreachable: LocalizedText("Check your connection.", ko: "연결을 확인하세요.")
    case .notFound, .badRequest, .refused, .unreadable: nil
    }
  }

  private func detail(_ text: String?) -> String { text.map { ": " + $0 } ?? "" }
}

extension TransportError.Reason {
  fileprivate var reason: LocalizedText {
    switch self {
    case .nameNotFound(let host): LocalizedText("host \(host) not found", ko: "호스트 \(host) 없음")
    case .connectionRefused: LocalizedText("connection refused", ko: "연결이 거부되었습니다")
    case .networkUnreachable: LocalizedText("the network is unreachable", ko: "네트워크에 연결할 수 없습니다")
    case .tls: LocalizedText("could not establish a secure connection", ko: "보안 연결을 맺지 못했습니다")
    case .timedOut: LocalizedText("no response in time", ko: "제한 시간 안에 응답이 없습니다")
    case .connectionClosed: LocalizedText("the connection was lost", ko: "연결이 끊겼습니다")
    case .notHTTP, .invalidHTTP: LocalizedText("the response is not HTTP", ko: "HTTP 응답이 아닙니다")
    case .headerFieldsTooLong: LocalizedText("the header fields of the response are too long", ko: "응답 헤더가 너무 깁니다")
    case .undecodableContent:
      LocalizedText("the compressed response cannot be read", ko: "압축된 응답을 읽을 수 없습니다")
    case .proxyLoginRequired: LocalizedText("the proxy asks for a login", ko: "프록시가 로그인을 요구합니다")
    case .serverDoesNotSpeakTLS: LocalizedText("the server does not support TLS", ko: "TLS를 사용하지 않는 서버입니다")
    case .tooLarge: LocalizedText("the response is too large", ko: "응답이 너무 큽니다")
    case .insecureHost(let host):
      LocalizedText("http would send the key to \(host) unencrypted", ko: "\(host)에 http로 보내면 키가 암호화되지 않습니다")
    case .invalidURL: LocalizedText("invalid URL", ko: "요청할 수 없는 주소입니다")
    case .notRecorded: LocalizedText("the recording has no response for this request", ko: "녹화 파일에 응답이 없습니다")
    case .invalidHeader, .invalidMultipart, .methodNotAllowed:
      LocalizedText("could not create the request", ko: "요청을 만들지 못했습니다")
    case .cancelled: LocalizedText("canceled", ko: "취소되었습니다")
    case .other(let words): LocalizedText(same: "\(.foreign(Sanitizer.label(words)))")
    }
  }
}
