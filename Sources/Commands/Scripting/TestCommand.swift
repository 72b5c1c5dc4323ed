import CommandLanguage
import Presentation
import ShellRuntime
import Text

/// `test "NAME": LINE`: runs a line that has its own name in the reports of `--tap` and `--junit`.
package struct TestCommand: StaticallyCheckable, LineContaining {
  package static let declaration = CommandDeclaration(
    "test", group: .scripting,
    summary: LocalizedText("run a command as a named test", ko: "이름 있는 테스트로 명령 실행"),
    usage: ["test \"NAME\": COMMAND"],
    details: LocalizedText(
      "Names a command in the reports of --tap and --junit.",
      ko: "--tap과 --junit의 보고서에서 명령에 이름을 붙입니다."),
    parameters: [
      Parameter(
        "NAME: LINE", .rest(required: true), kind: .line,
        summary: LocalizedText("the name in quotes, a colon, and the command", ko: "따옴표로 묶은 이름, 콜론, 명령"))
    ],
    examples: [
      .init(
        "test \"the first page has rows\": assert $count > 0", "uses this name in TAP and JUnit reports",
        ko: "TAP과 JUnit 보고서에 이 이름을 사용"),
      .init("test \"unknown id\": assert status 404: show 999999", "checks a status", ko: "상태 코드를 검사"),
    ])

  private let nested: NestedLine

  /// - Throws: `ParseError` without a name or a line.
  package init(_ invocation: ParsedCommand) throws {
    nested = try TestCommand.read(invocation.text("NAME: LINE") ?? "")
  }

  private static func read(_ text: String) throws(ParseError) -> NestedLine {
    try NestedLine(text, of: "test", example: "test \"unknown id\": assert status 404: show 999999")
  }

  /// Returns the name that a line gives itself, or `nil` for any other line.
  package static func name(in line: String, _ grammar: CommandParser) -> String? {
    guard let match = line.prefixMatch(of: /\s*test\s+/),
      let nested = try? read(String(line[match.range.upperBound...]))
    else { return nil }
    let words = Lexer(nested.subject).tokens.compactMap { token in
      if case .word(let word) = token { word.text } else { nil }
    }
    return words.joined(separator: " ")
  }

  /// - Throws: The first error in the contained line.
  package func check(in scope: inout CommandScope) throws -> CommandResult {
    try scope.check(nested.line)
  }

  func containedLine(in scope: CommandScope) -> String? { nested.line }

  /// - Throws: The errors of its line.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    try await scope.run(nested.line).nested
  }
}
