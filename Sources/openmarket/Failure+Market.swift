import Catalog
import EmbeddedMarket
import Engine
import Platform
import Presentation
import Shell
import Text

extension Failure {
  /// Why the market inside the program does not listen.
  init(_ error: MarketStartError) {
    let what = Message.failure("The embedded market could not start.", ko: "내장 시장을 열지 못했습니다.")
    switch error {
    case .portInUse(let host, let port):
      self.init(
        .unreachable,
        what.because("Port \(port) of \(host) is in use.", ko: "\(host)의 \(port)번 포트를 이미 쓰고 있습니다.")
          .next("\(.command("--port 0")) picks a free one.", ko: "\(.command("--port 0"))으로 빈 포트를 고릅니다."))
    case .hostUnusable(let host, let port, let reason):
      self.init(
        .unreachable,
        what.because(
          "\(.value("\(host):\(port)")) cannot be listened on: \(.foreign(reason))",
          ko: "\(.value("\(host):\(port)"))에서 들을 수 없습니다: \(.foreign(reason))"))
    case .dataDirectoryNotWritable(let path, let reason):
      self.init(
        .unreachable,
        what.because(
          "\(.value(path)) cannot be written: \(.foreign(reason))", ko: "\(.value(path)), 쓸 수 없습니다: \(.foreign(reason))"
        )
        .next("\(.command("--home DIR")) keeps everything elsewhere.", ko: "\(.command("--home DIR"))로 다른 곳에 둘 수 있습니다.")
      )
    case .damaged(let path, let findings):
      self.init(
        .unreachable,
        what.because(
          "Its file \(.value(path)) is damaged: \(.foreign(findings.first ?? ""))",
          ko: "파일 \(.value(path)), 상했습니다: \(.foreign(findings.first ?? ""))"
        ).next("Move it away to start afresh.", ko: "옮겨 두면 새로 시작합니다."))
    case .newerVersion(let path, let found, let supported):
      self.init(
        .unreachable,
        what.because(
          "\(.value(path)) was written by a newer program (version \(found), this one knows \(supported)).",
          ko: "\(.value(path)), 더 새로운 프로그램의 파일입니다(판 \(found), 아는 판 \(supported))."))
    case .alreadyStarted: self.init(.unreachable, what)
    }
  }
}
