import Catalog
import Networking
import Presentation

extension Failure {
  /// No complete answer came to a read, or a write was certainly not sent.
  init(_ failure: TransportFailure) {
    switch failure.reason {
    case .nameNotFound(let host):
      self.init(
        .unreachable,
        Failure.unreachable.because("There is no host \(.foreign(host)).", ko: "\(.foreign(host)), 없는 호스트입니다."))
    case .refused:
      self.init(
        .unreachable,
        Failure.unreachable.because("The connection was refused.", ko: "연결을 거절했습니다.")
          .next("Is it running? \(.command("session")) shows the address.", ko: "서버가 켜져 있나요? \(.command("session"))에서 주소를 볼 수 있습니다."))
    case .tls(let reason):
      self.init(
        .unreachable,
        Failure.unreachable.because(
          "No safe connection: \(.foreign(reason))", ko: "안전한 연결을 맺지 못했습니다: \(.foreign(reason))"))
    case .insecure(let host):
      self.init(
        .unreachable,
        Failure.unreachable.because(
          "\(.foreign(host)) is not this machine, and http would carry everything in the open.",
          ko: "\(.foreign(host)), 이 컴퓨터가 아니라서 http로는 모든 것이 그대로 드러납니다."
        ).next("Use https.", ko: "https를 쓰세요."))
    case .timedOut:
      self.init(
        .unreachable, Failure.unreachable.because("No complete answer came in time.", ko: "제때 답이 오지 않았습니다."))
    case .cutOff:
      self.init(.unreachable, Failure.unreachable.because("The connection was cut.", ko: "연결이 끊겼습니다."))
    case .tooLarge(let limit):
      self.init(
        .refused,
        .failure("The answer was too large; stopped at \(limit) bytes.", ko: "답이 너무 커서 \(limit)바이트에서 멈췄습니다."))
    case .cancelled: self = .interrupted
    case .other(let text):
      self.init(.unreachable, Failure.unreachable.because(Wording(same: "\(.foreign(text))")))
    }
  }

  private static var unreachable: Message {
    .failure("The server could not be reached.", ko: "서버에 닿지 못했습니다.")
  }
}
