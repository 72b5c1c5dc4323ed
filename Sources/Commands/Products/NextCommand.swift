import Catalog
import CommandLanguage
import MarketOperations
import Presentation
import ShellRuntime
import Text

/// `next`: shows the page after the current one.
package struct NextCommand: Command {
  package static let declaration = CommandDeclaration(
    "next", group: .view, summary: LocalizedText("go to the next page", ko: "다음 페이지"), producesData: true,
    examples: [.init("next", "goes one page forward", ko: "다음 페이지로")])

  package init(_ invocation: ParsedCommand) {}

  /// - Throws: The errors of loading the page.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    guard let listing = scope.session.lastListing else {
      var query = scope.session.listQuery
      query.screenPageSize = query.screenPageSize ?? scope.context.productsOnScreen
      return try await PageLoader(query).load(in: &scope)
    }
    let isLast =
      listing.page.hasNext == false || listing.page.last.map { scope.session.listQuery.page >= $0 } == true
      || (listing.page.hasNext == nil && listing.page.products.isEmpty)
    if isLast {
      return .message(.note("This is the last page.", ko: "마지막 페이지입니다."))
    }
    var query = scope.session.listQuery
    query.page += 1
    return try await PageLoader(query).load(in: &scope)
  }
}
