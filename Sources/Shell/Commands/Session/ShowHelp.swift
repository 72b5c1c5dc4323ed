import Catalog
import Language
import Presentation

/// `help`: all commands on one screen, or one command whole.
struct ShowHelp: Command {
  static let declaration = Declaration(
    "help", aliases: ["?"], group: .session, summary: Wording("explain the commands", ko: "명령 설명"), prints: true,
    parameters: [
      Parameter("COMMAND", .positional(required: false), .command, Wording("only this one, whole", ko: "이 명령만 자세히"))
    ],
    examples: [
      .init("help", "all commands", ko: "모든 명령"), .init("help ls", "one command, with examples", ko: "한 명령을 보기와 함께"),
    ])

  private let page: HelpPage

  init(_ invocation: Invocation) throws {
    guard let name = invocation.text("COMMAND") else {
      page = Help.overview(AllCommands.grammar.declarations)
      return
    }
    page = Help.page(try AllCommands.grammar.command(name))
  }

  func run(_ session: inout Session, in context: Context) async throws -> Report {
    .text(Wording(page.text(.english), ko: page.text(.korean)))
  }
}

extension HelpPage {
  /// The page as one text.
  fileprivate func text(_ tongue: Tongue) -> StyledText {
    lines(tongue).reduce(StyledText(runs: [])) { $0 + $1 + "\n" }
  }
}
