import CommandLanguage
import Foundation
import Platform
import Presentation
import ShellRuntime
import Text

/// `expect`: compares the data printed last with a file, which is created if it doesn't exist.
package struct ExpectCommand: Command {
  package static let declaration = CommandDeclaration(
    "expect", group: .scripting,
    summary: LocalizedText("compare the last output with a file", ko: "마지막 출력을 파일과 비교"),
    details: LocalizedText(
      "Saves the output of the last command the first time, and compares it after that. A difference ends with exit code 6.",
      ko: "처음에는 마지막 명령의 출력을 저장하고, 그다음부터 비교합니다. 다르면 종료 코드 6으로 끝납니다."),
    parameters: [
      Parameter(
        "FILE", .positional(required: true), kind: .file,
        summary: LocalizedText("file with the expected output; created if it does not exist", ko: "기대하는 출력의 파일; 없으면 만듦")
      )
    ],
    examples: [
      .init(
        "ls as json; expect page.json", "saves the output the first time, compares it after that",
        ko: "처음에는 출력을 저장하고, 그다음부터 비교"),
      .init(
        "show 42 name price; expect cup.csv", "the file extension selects the format, as in to FILE",
        ko: "to FILE처럼 확장자가 형식을 정함"),
    ])

  private let file: String

  package init(_ invocation: ParsedCommand) { file = invocation.text("FILE") ?? "" }

  /// - Throws: `CommandError` if nothing has been printed, and for a difference; `FileError`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    guard let shown = scope.session.last.output else {
      throw CommandError(.usageError, .failure("There is no output yet.", ko: "아직 출력한 것이 없습니다."))
    }
    guard let data = shown.data else {
      throw CommandError(
        .usageError,
        .failure("The list is too long to compare.", ko: "목록이 너무 길어 비교할 수 없습니다.")
          .because("The last output was not saved.", ko: "마지막 출력이 저장되어 있지 않습니다.")
          .next(
            "To compare it, add \(.command("| diff - FILE")) to the list command.",
            ko: "비교하려면 목록 명령 뒤에 \(.command("| diff - FILE"), .object) 붙이세요."))
    }
    let path = Paths.expanded(file, home: scope.context.program.environment["HOME"])
    // An explicit format is used; a table for display is replaced by the format of the file's extension.
    let format = shown.format == .table ? OutputFormat(ending: file) ?? .table : shown.format
    let printed = format.renderer.render(data, ReportWriter(Clauses(), scope).plain)
    let actual = try await lasting(printed, in: scope)
    guard let expected = try Files.text(path) else {
      if scope.session.script.isReported || scope.context.program.environment.isContinuousIntegration {
        throw unrecorded
      }
      try ProtectedOutputFile(file, scope.context).write(Data(actual.utf8))
      return .message(
        .success(
          "Saved to \(.value(path)). Later runs will be compared with it.",
          ko: "\(.value(path))에 저장했습니다. 다음 실행부터 비교합니다."))
    }
    guard actual.unicodeScalars.elementsEqual(expected.unicodeScalars) else { throw mismatchFailure(actual, expected) }
    return .empty
  }

  private var unrecorded: CommandError {
    CommandError(
      .assertionFailed,
      Message.failure("The file to compare with does not exist: \(.value(file)).", ko: "비교할 파일이 없습니다: \(.value(file)).")
        .because(
          "A test run (\(.command("--tap")), \(.command("--junit")) or the variable \(.field("CI"))) does not create the file.",
          ko: "테스트 실행(\(.command("--tap")), \(.command("--junit")), 환경 변수 \(.field("CI")))에서는 파일을 만들지 않습니다."
        )
        .next(
          "Run the script once without them, and store the file with the script.",
          ko: "이 옵션 없이 한 번 실행해 파일을 만들고, 스크립트와 함께 보관하세요."))
  }

  /// Returns the text with the embedded market's URL replaced, because its port changes with every start.
  private func lasting(_ text: String, in scope: CommandScope) async throws -> String {
    guard scope.session.server.isEmbedded, text.contains("://") else { return text }
    return text.replacing(try await scope.address().absoluteString, with: "http://embedded")
  }

  private func mismatchFailure(_ actual: String, _ expected: String) -> CommandError {
    let message = Message.failure(
      "The output differs from \(.value(file)).", ko: "출력이 \(.value(file)) 파일과 다릅니다."
    ).because(first: OutputDifference.maximumShown, of: OutputDifference.of(expected, actual), counter: "곳") {
      LocalizedText($0.text(.english), ko: $0.text(.korean))
    }
    return CommandError(
      .assertionFailed, message.next("Delete the file to save it again.", ko: "파일을 지우면 다시 저장합니다."))
  }
}
