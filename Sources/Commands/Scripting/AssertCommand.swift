import CommandLanguage
import Foundation
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// `assert`: ends the line with exit status 6 if a condition doesn't hold.
package struct AssertCommand: StaticallyCheckable, LineContaining {
  package static let declaration = CommandDeclaration(
    "assert", group: .scripting,
    summary: LocalizedText("stop if a condition is not met", ko: "조건이 맞지 않으면 중단"),
    usage: [
      "assert EXPR [of TARGETS]", "assert all|any|none EXPR", "assert VALUE matches SHAPE",
      "assert status CODE: COMMAND",
    ],
    details: LocalizedText(
      "Ends the script with exit code 6 if the condition is not met. It checks the last product, the rows of the last list, or values of a response.",
      ko: "조건이 맞지 않으면 스크립트를 종료 코드 6으로 끝냅니다. 마지막 상품, 마지막 목록의 행, 응답의 값을 검사합니다."), traits: [.judgesMissing],
    parameters: [
      Parameter(
        "EXPR", .rest(required: false), kind: .expression,
        summary: LocalizedText(
          "condition for the last product, or between values: $count = 20",
          ko: "마지막 상품에 맞아야 함; 값끼리도 비교: $count = 20")),
      Parameter(
        "of", .option, kind: .target, summary: LocalizedText("check these products instead", ko: "대신 이 상품마다 맞아야 함")),
      Parameter(
        "all", .flag, kind: .none, summary: LocalizedText("every row of the last list must match", ko: "마지막 목록의 모든 행에")),
      Parameter("any", .flag, kind: .none, summary: LocalizedText("at least one row must match", ko: "적어도 한 행에")),
      Parameter("none", .flag, kind: .none, summary: LocalizedText("no row may match", ko: "어느 행에도 맞지 않아야 함")),
      Parameter(
        "value", .option, kind: .text,
        summary: LocalizedText(
          "value to check; may also come first: $p matches …", ko: "비교할 값; $p matches …처럼 앞에 써도 됨"),
        placeholder: "VALUE"),
      Parameter(
        "matches", .option, kind: .line,
        summary: LocalizedText(
          "JSON shape: {\"id\": int, \"name\": text, \"tags\": [text], \"sale\": number?}",
          ko: "JSON 구조: {\"id\": int, \"name\": text, \"tags\": [text], \"sale\": number?}")),
      Parameter(
        "status", .option, kind: .line,
        summary: LocalizedText(
          "CODE: COMMAND; the command must get this HTTP status", ko: "CODE: COMMAND; 서버가 그 상태 코드로 응답함")),
    ],
    examples: [
      .init("assert price = 3500 and stock > 0", "checks the last product", ko: "마지막 상품의 값"),
      .init("assert name ~ tumbler of @3", inKorean: "assert name ~ 텀블러 of @3", "checks row 3", ko: "3행의 값"),
      .init("assert all price > 0", "checks every row of the last list", ko: "마지막 목록의 모든 행"),
      .init(
        "assert $count = 20", "number of rows; also $total, $page, $pages, $status",
        ko: "행의 수; $total, $page, $pages, $status도"),
      .init("assert $before != _.price", "compares two values", ko: "두 값"),
      .init(
        "assert $p.ms < 300ms", "checks a response: let p = get /api/products", ko: "응답의 값: let p = get /api/products"),
      .init(
        "assert all $p.pages[*].price > 0", "checks every element of a list; also any and none",
        ko: "배열의 모든 원소를 검사; any와 none도 가능"),
      .init(
        "assert $p matches {\"pages\": [{\"id\": int, \"name\": text}]}", "checks the shape of a response",
        ko: "응답의 구조 검사"),
      .init("assert status 404: show 999999", "checks the HTTP status", ko: "서버의 답"),
    ])

  private let assertion: any Assertion

  /// - Throws: `ParseError` for text that is neither a condition nor a status nor a shape.
  package init(_ invocation: ParsedCommand) throws {
    if let text = invocation.text("status") {
      assertion = try StatusAssertion(text)
      return
    }
    if let shape = invocation.text("matches") {
      assertion = try ShapeAssertion(invocation.named("value"), text: invocation.text("value") ?? "", shape: shape)
      return
    }
    guard let condition = invocation.condition("EXPR") else {
      throw ParseError(
        LocalizedText("\(.command("assert")) needs a condition.", ko: "\(.command("assert"))에는 조건이 있어야 합니다."),
        suggestion: LocalizedText(
          "For example: \(.command("assert price = 3500"))", ko: "예: \(.command("assert price = 3500"))"))
    }
    assertion = try ProductAssertion(
      condition, typed: invocation.text, of: invocation.target("of"),
      quantity: ValueComparison.Quantity.allCases.filter { invocation.has($0.rawValue) })
  }

  func containedLine(in scope: CommandScope) -> String? { (assertion as? StatusAssertion)?.line }

  /// - Throws: `CommandError` with `.assertionFailed` if it doesn't hold; the errors of reading the products.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    try await assertion.verify(in: &scope)
  }

  /// - Throws: The first error in its text.
  package func check(in scope: inout CommandScope) throws -> CommandResult {
    try assertion.check(in: &scope)
  }
}

extension CommandError {
  func because(rows count: Int) -> CommandError {
    if count == 0 {
      return CommandError(exitStatus, message.because("There are no rows to compare.", ko: "비교할 행이 없습니다."))
    }
    return CommandError(
      exitStatus,
      message.because(
        "\(count == 1 ? StyledText("The only row does not") : "None of the \(count) rows") match.",
        ko: "\(count)행 중 조건에 맞는 것이 없습니다."))
  }
}

/// A claim of a script.
protocol Assertion: Sendable {
  /// Checks the claim.
  ///
  /// - Returns: The failure of a command in the claim that was already printed, or a success.
  /// - Throws: `CommandError` with `.assertionFailed` if the claim doesn't hold.
  func verify(in scope: inout CommandScope) async throws -> CommandResult
  /// Throws the first error in its text.
  func check(in scope: inout CommandScope) throws -> CommandResult
}

extension Assertion {
  package func check(in scope: inout CommandScope) -> CommandResult { .empty }
}

/// The claim that JSON has a structure: `assert $p matches {…}`.
struct ShapeAssertion: Assertion {
  /// The value, or `nil` for a missing member.
  private let value: JSON?
  private let shape: JSONShape

  private static let maximumShown = 20

  /// Creates an assertion about the shape of a value.
  ///
  /// - Parameters:
  ///   - value: The value of the variable before `matches`, or `nil` if there is a text.
  ///   - text: That text, interpreted as JSON or otherwise as a string.
  /// - Throws: `ParseError` for an invalid shape.
  init(_ value: NamedValue?, text: String, shape: String) throws(ParseError) {
    self.shape = try JSONShapeParser.read(shape)
    if let value {
      self.value = value.json
    } else {
      self.value = (try? JSON(parsing: Data(text.utf8))) ?? .string(text)
    }
  }

  func verify(in scope: inout CommandScope) async throws -> CommandResult {
    let misfits = shape.misfits(value)
    guard !misfits.isEmpty else { return .empty }
    let message = Message.failure("Assertion failed: the value has a different shape.", ko: "확인 실패: 값의 구조가 다릅니다.")
    throw CommandError(
      .assertionFailed,
      message.because(first: ShapeAssertion.maximumShown, of: misfits, counter: "곳") { misfit in
        let found = misfit.found?.described ?? LocalizedText("nothing", ko: "값 없음")
        let expected = misfit.expected.description
        return LocalizedText(
          "\(.value(misfit.path)): expected \(.command(expected)), found \(found.english)",
          ko: "\(.value(misfit.path)): 기대 \(.command(expected)), 실제 \(found.korean)")
      })
  }
}

/// The claim that the server responds to a command with a status: `404: show 999999`, `$code: show 999999`.
struct StatusAssertion: Assertion {
  /// The status as typed: a number or a variable.
  private let code: String
  let line: String

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
    let value = try scope.grammar.value(
      of: code, arguments: scope.session.script.arguments, variables: scope.session.value)
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
    quiet.program.console = MutedConsole(console: scope.context.program.console, forwardsMessages: false)
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
    let received = scope.session.last.httpStatus
    scope.session.last.httpStatus = received ?? before
    if received == status { return .empty }
    throw failed(status, received: received, problem: problem)
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

  private func failed(_ status: Int, received: Int?, problem: CommandError?) -> CommandError {
    var message = Message.failure(
      "Assertion failed: \(.command(line)) did not get status \(status).",
      ko: "확인 실패: \(.command(line))의 상태 코드가 \(status, .subject) 아닙니다")
    if let received {
      message = message.because("The server responded with status \(received).", ko: "서버는 상태 코드 \(received)번으로 응답했습니다.")
    } else {
      message = message.because("No request was sent.", ko: "서버에 요청하지 않았습니다.")
    }
    if let problem { message = message.because(problem.message.what) }
    return CommandError(.assertionFailed, message)
  }
}
