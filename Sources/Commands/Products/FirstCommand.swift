import CommandLanguage
import MarketOperations
import Presentation
import ShellRuntime
import Text

/// `first`: shows the first page.
package struct FirstCommand: Command {
  package static let declaration = CommandDeclaration(
    "first", group: .view, summary: LocalizedText("go to the first page", ko: "첫 페이지"), producesData: true,
    variantOf: "ls", examples: [.init("first", "goes back to page 1", ko: "1페이지로")])

  package init(_ invocation: ParsedCommand) {}

  /// - Throws: The errors of loading the page.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    var query = scope.session.listing.query
    query.page = 1
    if scope.session.listing.last == nil {
      query.screenPageSize = query.screenPageSize ?? scope.context.program.productsOnScreen
    }
    return try await PageLoader(query).load(in: &scope)
  }
}
