import CommandLanguage
import Presentation
import ShellRuntime
import Text

/// `format`: shows or changes the output format.
package struct FormatCommand: Command {
  package static let declaration = CommandDeclaration(
    "format", group: .session, summary: LocalizedText("set the output format", ko: "출력 형식 설정"), producesData: true,
    parameters: [
      Parameter(
        "FORMAT", .positional(required: false), kind: .choice(OutputFormat.allCases.map(\.rawValue)),
        summary: LocalizedText("format name (default: shows the current one)", ko: "없으면 현재 형식")),
      .here,
    ],
    examples: [
      .init("format json", "uses JSON from now on, also in later sessions", ko: "이제부터 JSON, 다음 세션에도"),
      .init("format csv here", "for this session only", ko: "이번 세션에만"),
    ])

  private let format: OutputFormat?
  private let isStored: Bool

  package init(_ invocation: ParsedCommand) {
    format = invocation.text("FORMAT").flatMap { OutputFormat(rawValue: $0) }
    isStored = !invocation.has("here")
  }

  package func run(in scope: inout CommandScope) -> CommandResult {
    guard let format else { return .text(LocalizedText(same: StyledText(scope.session.settings.format.rawValue))) }
    scope.session.settings.format = format
    if isStored { scope.session.persistSetting(SettingStore.format, format.rawValue, in: scope.context) }
    return .empty
  }
}
