import Catalog
import Engine
import Language
import Platform
import Presentation
import Text

/// `404: show 999999`: the server answers a command with that status.
struct StatusClaim: Claim {
  private let status: Int
  private let line: String

  init(_ text: String) throws {
    guard let match = text.trimmed.wholeMatch(of: /([1-5][0-9][0-9])\s*:\s*(\S.*)/.dotMatchesNewlines()),
      let status = Int(match.1)
    else {
      throw ParseError(
        Wording("A status and a command are expected.", ko: "상태 코드와 명령을 적어야 합니다."),
        next: Wording(
          "\(.command("assert status 404: show 999999"))", ko: "\(.command("assert status 404: show 999999"))"))
    }
    self.status = status
    line = String(match.2)
  }

  func prove(_ session: inout Session, _ mode: Execution.Mode, in context: Context) async throws {
    var quiet = context
    quiet.console = MutedConsole(console: context.console, keepsWords: false)
    let before = session.status
    session.status = nil
    var problem: Failure?
    do {
      try await context.lines.run(line, &session, mode, in: quiet)
    } catch {
      problem = try StatusClaim.expected(error)
    }
    let answered = session.status
    session.status = answered ?? before
    if answered == status { return }
    throw failed(answered, problem)
  }

  func check(_ session: inout Session, in context: Context) throws {
    try context.lines.check(line, &session, in: context)
  }

  /// A line that is not understood, a server that is not there and an unknown outcome prove nothing: they stay what they are.
  private static func expected(_ error: any Error) throws -> Failure? {
    switch Failure.code(of: error) {
    case .misread, .unreachable, .unknown, .interrupted, .hungUp, .quit, .terminated: throw error
    case .success, .refused, .heldBack, .assertionFailed, .incomplete:
      return error is SilentFailure ? nil : Failure(describing: error)
    }
  }

  private func failed(_ answered: Int?, _ problem: Failure?) -> Failure {
    var message = Message.failure(
      "Not so: status \(status) for \(.command(line))", ko: "그렇지 않습니다: \(.command(line))의 상태 코드 \(status)")
    if let answered {
      message = message.because("The server answered \(answered).", ko: "서버는 \(answered)번으로 답했습니다.")
    } else {
      message = message.because("The server was not asked.", ko: "서버에 묻지 않았습니다.")
    }
    if let problem { message = message.because(problem.message.what) }
    return Failure(.assertionFailed, message)
  }
}
