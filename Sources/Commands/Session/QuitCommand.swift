import CommandLanguage
import Presentation
import ShellRuntime
import Text

/// `quit`: ends the session.
package struct QuitCommand: Command {
  package static let declaration = CommandDeclaration(
    "quit", aliases: ["exit"], group: .session, summary: LocalizedText("exit openmarket", ko: "종료"),
    traits: [.excludedFromSavedScripts, .endsSession],
    examples: [.init("quit", "exits; Ctrl-D does the same", ko: "종료; Ctrl-D도 같음")]
  )

  package init(_ invocation: ParsedCommand) {}

  package func run(in scope: inout CommandScope) -> CommandResult {
    scope.session.hasEnded = true
    return .empty
  }
}
