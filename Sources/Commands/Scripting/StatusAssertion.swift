import CommandLanguage
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// The claim that the server responds to a command with a status: `404: show 999999`, `$code: show 999999`.
struct StatusAssertion: Assertion {
  /// The status as typed: a number or a variable.
  private let code: String
  private let line: String

  init(_ text: String) throws {
    guard
      let match = text.trimmed.wholeMatch(
        of: /([1-5][0-9][0-9]|\$[\p{L}_][\p{L}0-9_.\[\]-]*|\$\{[^}\s]+\}|\$[1-9][0-9]*)\s*:\s*(\S.*)/
          .dotMatchesNewlines())
    else {
      throw ParseError(
        LocalizedText("assert status needs a status code and a command.", ko: "상태 코드와 명령을 적어야 합니다."),
        suggestion: LocalizedText(
          "For example: \(.command("assert status 404: show 999999"))",
          ko: "예: \(.command("assert status 404: show 999999"))"))
    }
    code = String(match.1)
    line = String(match.2)
  }

  /// Returns the status that the code is when the assertion is run.
  ///
  /// - Throws: `ParseError` for a variable without a value, and for one that is no status.
  private func status(in scope: CommandScope) throws(ParseError) -> Int {
    let value = try scope.context.grammar(of: scope.session).value(
      of: code, arguments: scope.session.script.stack.last?.arguments, variables: scope.session.value)
    guard let status = Int(value.plainText), (100...599).contains(status) else {
      throw ParseError(
        LocalizedText(
          "\(.field(code)) is not a status code: \(.foreign(value.shortened))",
          ko: "\(.field(code)) 값이 상태 코드가 아닙니다: \(.foreign(value.shortened))"))
    }
    return status
  }

  func verify(in scope: inout CommandScope) async throws -> CommandResult {
    let status = try status(in: scope)
    var quiet = scope.context
    quiet.console = MutedConsole(console: scope.context.console, forwardsMessages: false)
    let before = scope.session.last.httpStatus
    scope.session.last.httpStatus = nil
    var problem: CommandError?
    do {
      let result = try await scope.with(quiet) { try await $0.run(line) }
      if !StatusAssertion.provesStatus(result.status) { return result.nested }
    } catch {
      // Nothing is proven either by a response that is incomplete or cannot be read.
      guard StatusAssertion.provesStatus(CommandError.exitStatus(of: error)),
        (error as? TransportError)?.isAnswered != true
      else { throw error }
      problem = CommandError(describing: error)
    }
    let answered = scope.session.last.httpStatus
    scope.session.last.httpStatus = answered ?? before
    if answered == status { return .empty }
    throw failed(status, answered, problem)
  }

  func check(in scope: inout CommandScope) throws -> CommandResult {
    try scope.check(line)
  }

  /// Returns whether a command that ended so shows how the server responds.
  ///
  /// A line that can't be parsed, an unreachable server and an unknown outcome don't prove anything.
  private static func provesStatus(_ status: ExitStatus) -> Bool {
    switch status {
    case .usageError, .unreachable, .outcomeUnknown, .interrupted, .hungUp, .quit, .terminated: false
    case .success, .refused, .blocked, .assertionFailed, .partialFailure, .drift: true
    }
  }

  private func failed(_ status: Int, _ answered: Int?, _ problem: CommandError?) -> CommandError {
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
