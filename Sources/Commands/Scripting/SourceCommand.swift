import CommandLanguage
import Platform
import Presentation
import ShellRuntime
import Text

/// `source`: runs the lines of a file as if they were typed here.
package struct SourceCommand: StaticallyCheckable {
  package static let declaration = CommandDeclaration(
    "source", group: .scripting,
    summary: LocalizedText("run a script file", ko: "스크립트 파일 실행"),
    traits: [.passesArguments],
    parameters: [
      Parameter(
        "FILE", .positional(required: true), kind: .file,
        summary: LocalizedText("script file; stops at the first error", ko: "스크립트 파일. 첫 오류에서 멈춤")),
      Parameter(
        "from", .option, kind: .number(1...1_000_000),
        summary: LocalizedText("begin with line N", ko: "N번째 줄부터 시작")),
      Parameter(
        "ARGS", .rest(required: false), kind: .text,
        summary: LocalizedText("available in the script as $1, $2 and $@", ko: "스크립트 안의 $1, $2, $@")),
    ],
    examples: [
      .init("source monday.market", "runs all lines of the file", ko: "파일의 모든 줄 실행"),
      .init("source monday.market from 12", "begins with line 12", ko: "12번째 줄부터"),
      .init(
        "source restock.market 42 'Milk bottle'", inKorean: "source restock.market 42 '우유병 텀블러'",
        "passes $1 and $2", ko: "$1과 $2를 주고"),
    ])

  private let file: String
  private let arguments: [String]
  private let start: Int

  package init(_ invocation: ParsedCommand) {
    file = invocation.text("FILE") ?? ""
    arguments = invocation.all("ARGS")
    start = invocation.number("from") ?? 1
  }

  /// - Throws: `FileError`; the error of the first line that fails; `CommandError` for a script that runs itself.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    try await scope.run(script: script(scope.context.program.environment))
  }

  /// - Throws: `FileError`; the first error in a line.
  package func check(in scope: inout CommandScope) throws -> CommandResult {
    try scope.check(script: script(scope.context.program.environment))
  }

  private func script(_ environment: Environment) -> ScriptReference {
    ScriptReference(
      Paths.expanded(file, home: environment["HOME"]), named: file, arguments: arguments, start: start)
  }
}
