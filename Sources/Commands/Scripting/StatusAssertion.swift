import CommandLanguage
import Platform
import Presentation
import ShellRuntime
import Text

/// The claim that the server responds to a command with a status: `404: show 999999`.
struct StatusAssertion: Assertion {
  private let status: Int
  private let line: String

  init(_ text: String) throws {
    guard let match = text.trimmed.wholeMatch(of: /([1-5][0-9][0-9])\s*:\s*(\S.*)/.dotMatchesNewlines()),
      let status = Int(match.1)
    else {
      throw ParseError(
        LocalizedText("assert status needs a status code and a command.", ko: "상태 코드와 명령을 적어야 합니다."),
        suggestion: LocalizedText(
          "For example: \(.command("assert status 404: show 999999"))",
          ko: "예: \(.command("assert status 404: show 999999"))"))
    }
    self.status = status
    line = String(match.2)
  }

  func verify(_ session: inout Session, _ mode: Execution.Mode, in context: CommandContext) async throws {
    var quiet = context
    quiet.console = MutedConsole(console: context.console, forwardsMessages: false)
    let before = session.lastHTTPStatus
    session.lastHTTPStatus = nil
    var problem: CommandError?
    do {
      try await context.lines.run(line, &session, mode, in: quiet)
    } catch {
      problem = try StatusAssertion.expected(error)
    }
    let answered = session.lastHTTPStatus
    session.lastHTTPStatus = answered ?? before
    if answered == status { return }
    throw failed(answered, problem)
  }

  func check(_ session: inout Session, in context: CommandContext) throws {
    try context.lines.check(line, &session, in: context)
  }

  /// Returns the failure of a rejected command.
  ///
  /// A line that can't be parsed, an unreachable server and an unknown outcome don't prove anything, so their errors
  /// are rethrown.
  private static func expected(_ error: any Error) throws -> CommandError? {
    switch CommandError.exitStatus(of: error) {
    case .usageError, .unreachable, .outcomeUnknown, .interrupted, .hungUp, .quit, .terminated: throw error
    case .success, .refused, .blocked, .assertionFailed, .partialFailure:
      return error is ReportedFailure ? nil : CommandError(describing: error)
    }
  }

  private func failed(_ answered: Int?, _ problem: CommandError?) -> CommandError {
    var message = Message.failure(
      "Assertion failed: \(.command(line)) did not get status \(status).",
      ko: "확인 실패: \(.command(line))의 상태 코드가 \(status, .subject) 아닙니다")
    if let answered {
      message = message.because("The server responded with status \(answered).", ko: "서버는 상태 코드 \(answered)번으로 응답했습니다.")
    } else {
      message = message.because("No request was sent.", ko: "서버에 요청하지 않았습니다.")
    }
    if let problem { message = message.because(problem.message.what) }
    return CommandError(.assertionFailed, message)
  }
}
