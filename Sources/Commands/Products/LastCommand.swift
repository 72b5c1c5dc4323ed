import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Presentation
import ShellRuntime
import Text

/// `last`: shows the last page of the market.
package struct LastCommand: Command {
  package static let declaration = CommandDeclaration(
    "last", group: .view, summary: LocalizedText("go to the last page", ko: "마지막 페이지"), producesData: true,
    traits: [.requiresFullScan], variantOf: "ls",
    examples: [.init("last", "shows the oldest products", ko: "가장 오래된 상품")])

  package init(_ invocation: ParsedCommand) {}

  /// Finds and shows the last page.
  ///
  /// If that fails or is interrupted, the session's position doesn't change: `@1`, `next` and `prev` refer to the page
  /// that was shown last.
  ///
  /// - Throws: The errors of loading the page.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let before = (scope.session.listing.query, scope.session.listing.last)
    do {
      return try await find(in: &scope)
    } catch {
      (scope.session.listing.query, scope.session.listing.last) = before
      throw error
    }
  }

  private func find(in scope: inout CommandScope) async throws -> CommandResult {
    var query = scope.session.listing.query
    if scope.session.listing.last == nil {
      query.screenPageSize = query.screenPageSize ?? scope.context.program.productsOnScreen
    }
    var whole = CommandResult()
    if scope.session.listing.last?.page.last == nil { whole.merge(try await PageLoader(query).load(in: &scope)) }
    guard let last = scope.session.listing.last?.page.last else {
      return try await findLastPage(query, in: &scope)
    }
    query.page = max(1, last)
    let result = try await PageLoader(query).load(in: &scope)
    whole.merge(result)
    whole.report = result.report
    return whole
  }

  /// Finds the last page in an edition that doesn't report a count.
  ///
  /// If no page has rows, page 1 is the last one.
  private func findLastPage(_ query: ListQuery, in scope: inout CommandScope) async throws -> CommandResult {
    let last = try await LastPage.find(after: 1) { page in
      try await isEmpty(page, query, in: &scope)
    }
    var found = query
    found.page = last
    return try await PageLoader(found).load(in: &scope)
  }

  private func isEmpty(_ page: Int, _ query: ListQuery, in scope: inout CommandScope) async throws -> Bool {
    var query = query
    query.page = page
    _ = try await PageLoader(query).load(in: &scope)
    return scope.session.listing.last?.page.products.isEmpty == true
      && scope.session.listing.last?.page.broken.isEmpty == true
  }
}
