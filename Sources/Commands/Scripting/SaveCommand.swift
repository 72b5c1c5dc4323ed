import CommandLanguage
import Foundation
import OrderedCollections
import Platform
import Presentation
import ShellRuntime
import Text

/// `save`: saves the commands of this session as a script.
package struct SaveCommand: Command {
  package static let declaration = CommandDeclaration(
    "save", group: .scripting,
    summary: LocalizedText("save this session's commands as a script", ko: "이 세션을 스크립트로 저장"),
    details: LocalizedText(
      "Saves the commands of this session that succeeded as a script. Secrets are never saved.",
      ko: "이 세션에서 성공한 명령을 스크립트로 저장합니다. 시크릿은 저장하지 않습니다."),
    traits: [.excludedFromSavedScripts],
    parameters: [
      Parameter(
        "FILE", .positional(required: true), .file,
        LocalizedText("file to create, ending in .market", ko: "저장할 곳; .market으로 끝남")),
      Parameter(
        "N-M", .positional(required: false), .text,
        LocalizedText("only these commands (numbers from history session)", ko: "이 명령만(번호는 history session에서 확인)")),
      Parameter(
        "expect", .flag, .none,
        LocalizedText(
          "turn results into assertions, and created products into variables", ko: "본 값은 확인문으로, 등록한 상품은 변수로")
      ),
      .replaceFlag,
    ],
    examples: [
      .init("save monday.market", "saves every command that succeeded", ko: "성공한 모든 명령"),
      .init("save test.market 3-10 expect", "saves commands 3 to 10 as a test", ko: "3번부터 10번까지, 테스트로"),
    ])

  private let file: String
  private let range: ClosedRange<Int>
  private let expecting: Bool
  private let replaces: Bool

  /// - Throws: `ParseError` for an invalid range of commands.
  package init(_ invocation: ParsedCommand) throws {
    file = invocation.text("FILE") ?? ""
    expecting = invocation.has("expect")
    replaces = invocation.has("replace")
    guard let text = invocation.text("N-M") else {
      range = 1...Int.max
      return
    }
    guard let match = text.wholeMatch(of: /([1-9][0-9]{0,8})(-([1-9][0-9]{0,8}))?/), let first = Int(match.1),
      let last = Int(match.3 ?? match.1), first <= last
    else {
      throw ParseError(
        LocalizedText("Invalid range: \(.value(text)).", ko: "\(.value(text), .topic) 명령의 범위가 아닙니다."),
        suggestion: LocalizedText(
          "Use a range such as \(.value("3-10")). Run \(.command("history session")) to see the numbers.",
          ko: "\(.value("3-10")) 같은 범위를 쓰세요. 번호는 \(.command("history session"))에서 볼 수 있습니다."))
    }
    range = first...last
  }

  /// - Throws: `CommandError` if there is nothing to save, or if the file must not be overwritten; `FileError`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let script = ScriptGenerator(
      scope.session.commandHistory.all.filter { range.contains($0.number) }, names: scope.session.server.fieldNames,
      taken: Array(scope.session.variables.keys), expecting: expecting,
      grammar: scope.context.commands.grammar, place: scope.session.server)
    guard script.count > 0 else {
      throw CommandError(
        .usageError,
        .failure("There are no commands to save. No file was written.", ko: "저장할 명령이 없어 파일을 만들지 않았습니다."))
    }
    let target = ProtectedOutputFile(file, scope.context)
    try await target.confirmOverwrite(replacing: replaces, scope.session)
    try target.write(Data(script.text { scope.context.holdsSecret($0, scope.session) }.utf8))
    let path = target.path
    return .message(
      Message(
        .success,
        script.count == 1
          ? LocalizedText("Saved one command to \(.value(path)).", ko: "명령 하나를 \(.value(path))에 저장했습니다.")
          : LocalizedText(
            "Saved \(script.count) commands to \(.value(path)).", ko: "명령 \(script.count)개를 \(.value(path))에 저장했습니다.")
      ).next(
        "Run \(.command("source \(Quoting.quote(file))")) to run them.",
        ko: "\(.command("source \(Quoting.quote(file))"), .toward) 실행합니다."))
  }
}
