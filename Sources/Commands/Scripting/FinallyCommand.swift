import CommandLanguage
import Platform
import Presentation
import ShellRuntime
import Text

/// `finally: LINE`: stores a line for the end of the script, which runs it however the script ends.
package struct FinallyCommand: StaticallyCheckable, LineContaining {
  package static let declaration = CommandDeclaration(
    "finally", aliases: ["finally:"], group: .scripting,
    summary: LocalizedText("run a command when the script ends", ko: "스크립트가 끝날 때 명령 실행"),
    usage: ["finally: COMMAND"],
    details: LocalizedText(
      "Runs at the end of the script: after success, a failure, Ctrl-C or SIGTERM. Several lines run in reverse order, each with the variables as they were at its line.",
      ko: "스크립트 끝에서 실행합니다. 성공, 실패, Ctrl-C, SIGTERM 뒤에 모두 실행하며, 나중 줄부터 그 줄에서의 값으로 실행합니다."),
    parameters: [
      Parameter(
        "LINE", .rest(required: true), kind: .line,
        summary: LocalizedText("a command line. Quote several commands", ko: "명령. 여럿이면 따옴표로 묶음"))
    ],
    examples: [
      .init(
        "finally: rm $cup yes", "deletes the product of let cup = new … when the script ends",
        ko: "let cup = new …로 만든 상품을 스크립트가 끝날 때 삭제"),
      .init("finally: 'undo yes; status'", "runs two commands", ko: "두 명령을 실행"),
    ])

  private let line: String

  /// - Throws: `ParseError` without a line, and for `finally` in the line.
  package init(_ invocation: ParsedCommand) throws {
    line = try FinallyCommand.line(of: invocation.text("LINE") ?? "")
    guard FinallyCommand.line(in: line, invocation.grammar) == nil else {
      throw ParseError(
        LocalizedText(
          "\(.command("finally")) cannot contain \(.command("finally")).",
          ko: "\(.command("finally")) 안에 \(.command("finally"), .object) 쓸 수 없습니다."))
    }
  }

  private static func line(of text: String) throws(ParseError) -> String {
    try NestedLine("finally: " + text, of: "finally", example: "finally: rm $cup yes").line
  }

  /// Returns the line that a `finally:` stores for the end of its script, or `nil` for any other line.
  package static func line(in text: String, _ grammar: CommandParser) -> String? {
    guard let match = text.prefixMatch(of: /\s*finally:?\s+/) else { return nil }
    return try? line(of: String(text[match.range.upperBound...]))
  }

  /// - Throws: The first error in the contained line.
  package func check(in scope: inout CommandScope) throws -> CommandResult { try scope.check(line) }

  func containedLine(in scope: CommandScope) -> String? { line }

  /// - Throws: `CommandError` outside of a script.
  package func run(in scope: inout CommandScope) throws -> CommandResult {
    guard !scope.session.script.isTyped || !scope.session.script.stack.isEmpty else {
      throw CommandError(
        .usageError,
        .failure(
          "\(.command("finally:")) is for scripts. Nothing was stored.",
          ko: "\(.command("finally:"), .topic) 스크립트에서만 씁니다. 아무것도 저장하지 않았습니다."
        ).next("At the prompt, type the command itself.", ko: "프롬프트에서는 그 명령을 바로 입력하세요."))
    }
    scope.context.program.interruption.expectCleanUp()
    scope.session.script.cleanUps.append(CleanUp(line, session: scope.session, mode: scope.mode))
    return .empty
  }
}
