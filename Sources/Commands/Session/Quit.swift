import Engine
import Language
import Presentation
import Text

/// `quit`: ends the session.
package struct Quit: Command {
  package static let declaration = Declaration(
    "quit", aliases: ["exit"], group: .session, summary: LocalizedText("exit openmarket", ko: "종료"),
    traits: [.leftOutOfScripts, .endsSession],
    examples: [.init("quit", "exits; Ctrl-D does the same", ko: "종료; Ctrl-D도 같음")]
  )

  package init(_ invocation: Invocation) {}

  package func run(_ session: inout Session, _ execution: inout Execution, in context: Context) -> Report {
    session.isOver = true
    return .nothing
  }
}
