import CommandLanguage
import Platform
import Presentation
import ShellRuntime
import Text

/// `clear`: clears the screen.
///
/// Does nothing if standard output isn't a terminal.
package struct ClearCommand: Command {
  package static let declaration = CommandDeclaration(
    "clear", group: .session, summary: LocalizedText("clear the screen", ko: "화면 지우기"),
    traits: [.excludedFromSavedScripts], examples: [.init("clear", "clear the screen", ko: "빈 화면")])

  package init(_ invocation: ParsedCommand) {}

  /// - Throws: `OutputError` if the terminal is closed.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    if scope.context.program.console.outputIsTerminal, scope.context.program.environment["TERM"] != "dumb" {
      try scope.writeOutput("\u{1B}[H\u{1B}[2J")
    }
    return .empty
  }
}
