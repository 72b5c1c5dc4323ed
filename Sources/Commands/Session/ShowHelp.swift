import Catalog
import Engine
import Language
import Presentation
import Text

/// `help`: all commands on one screen, one command whole, or a topic.
package struct ShowHelp: Command {
  package static let declaration = Declaration(
    "help", aliases: ["?"], group: .session, summary: Wording("explain the commands", ko: "명령 설명"), prints: true,
    traits: [.leftOutOfScripts],
    parameters: [
      Parameter(
        "COMMAND", .positional(required: false), .command,
        Wording("a command or a topic: \(ShowHelp.topics)", ko: "명령이나 주제: \(ShowHelp.topics)"))
    ],
    examples: [
      .init("help", "all commands", ko: "모든 명령"), .init("help ls", "one command, with examples", ko: "한 명령을 예와 함께"),
      .init("help where", "how conditions are written", ko: "조건을 쓰는 법"),
    ])

  private static let topics = HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")

  private let page: HelpPage

  package init(_ invocation: Invocation) throws {
    guard let name = invocation.text("COMMAND") else {
      page = Help.overview(AllCommands.grammar.declarations)
      return
    }
    page = try HelpTopic(rawValue: name)?.page ?? Help.page(AllCommands.grammar.command(name))
  }

  package func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    .drawing(HelpDrawing(page, context.dataOptions(session)).drawing)
  }
}
