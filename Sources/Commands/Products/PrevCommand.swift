import CommandLanguage
import MarketOperations
import Presentation
import ShellRuntime
import Text

/// `prev`: shows the page before the current one.
package struct PrevCommand: Command {
  package static let declaration = CommandDeclaration(
    "prev", aliases: ["previous"], group: .view, summary: LocalizedText("go to the previous page", ko: "이전 페이지"),
    producesData: true,
    examples: [.init("prev", "goes one page back", ko: "이전 페이지로")])

  package init(_ invocation: ParsedCommand) {}

  /// - Throws: The errors of loading the page.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    guard scope.session.listQuery.page > 1 else {
      return .message(.note("This is the first page.", ko: "첫 페이지입니다."))
    }
    var query = scope.session.listQuery
    query.page -= 1
    return try await PageLoader(query).load(in: &scope)
  }
}
