import Catalog
import Engine
import Language
import Platform
import Presentation
import Text

/// `source`: runs the lines of a file as if they were typed here.
package struct RunScript: Checkable {
  package static let declaration = Declaration(
    "source", group: .scripting,
    summary: LocalizedText("run the lines of a file, with arguments", ko: "파일의 줄을 인자와 함께 실행"),
    traits: [.passesArguments],
    parameters: [
      Parameter(
        "FILE", .positional(required: true), .file,
        LocalizedText("a script; its lines stop at the first failure", ko: "스크립트; 처음 실패한 줄에서 멈춤")),
      Parameter(
        "ARGS", .rest(required: false), .text, LocalizedText("$1, $2 and $@ in the script", ko: "스크립트 안의 $1, $2, $@")),
    ],
    examples: [
      .init("source monday.market", "the lines of a file", ko: "파일의 줄들"),
      .init("source restock.market 42 '우유병 텀블러'", "with $1 and $2", ko: "$1과 $2를 주고"),
    ])

  private let file: String
  private let arguments: [String]

  package init(_ invocation: Invocation) {
    file = invocation.text("FILE") ?? ""
    arguments = invocation.all("ARGS")
  }

  /// - Throws: `FileError`; the error of the first line that fails; `Failure` for a script that runs itself.
  package func run(_ session: inout Session, _ execution: inout Execution, in context: Context) async throws -> Report {
    try await context.lines.run(script: script(context), &session, execution.mode, in: context)
    return .nothing
  }

  /// - Throws: `FileError`; the first error in a line.
  package func check(_ session: inout Session, in context: Context) throws {
    try context.lines.check(script: script(context), &session, in: context)
  }

  private func script(_ context: Context) -> ScriptReference {
    ScriptReference(
      Paths.expanded(file, home: context.environment["HOME"]), named: file, arguments: arguments)
  }
}
