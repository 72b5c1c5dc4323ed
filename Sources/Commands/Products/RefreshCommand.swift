import CommandLanguage
import MarketAPI
import MarketOperations
import Presentation
import ShellRuntime
import Text

/// `refresh`: reads the current page again.
package struct RefreshCommand: Command {
  package static let declaration = CommandDeclaration(
    "refresh", group: .view, summary: LocalizedText("reload the current page", ko: "현재 페이지 새로 고침"),
    producesData: true,
    variantOf: "ls", examples: [.init("refresh", "reloads the current page", ko: "같은 페이지를 최신 상태로")])

  package init(_ invocation: ParsedCommand) {}

  /// - Throws: The errors of loading the page.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    var query = scope.session.listing.query
    // If the window was resized, this is the page that contains the row that was at the top.
    if query.size == nil, scope.session.settings.pageSize == nil, query.layout == .table,
      query.scan != nil || scope.session.server.dialect?.value.supports(.pageSize) == true,
      let rows = scope.context.program.productsOnScreen, rows != scope.session.pageSize(of: query)
    {
      query.page = (query.page - 1) * scope.session.pageSize(of: query) / rows + 1
      query.screenPageSize = rows
    }
    return try await PageLoader(query).load(isNew: true, in: &scope)
  }
}
