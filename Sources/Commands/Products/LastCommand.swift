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
    traits: [.requiresFullScan], examples: [.init("last", "shows the oldest products", ko: "가장 오래된 상품")])

  package init(_ invocation: ParsedCommand) {}

  /// Finds and shows the last page.
  ///
  /// If that fails or is interrupted, the session's position doesn't change: `@1`, `next` and `prev` refer to the page
  /// that was shown last.
  ///
  /// - Throws: The errors of loading the page.
  package func run(_ session: inout Session, _ execution: inout Execution, in context: CommandContext) async throws
    -> Report
  {
    let before = (session.listQuery, session.lastListing)
    do {
      return try await find(&session, &execution, in: context)
    } catch {
      (session.listQuery, session.lastListing) = before
      throw error
    }
  }

  private func find(
    _ session: inout Session, _ execution: inout Execution, in context: CommandContext
  ) async throws -> Report {
    var query = session.listQuery
    if session.lastListing == nil { query.screenPageSize = query.screenPageSize ?? context.productsOnScreen }
    if session.lastListing?.page.last == nil { _ = try await PageLoader(query).load(&session, &execution, in: context) }
    guard let last = session.lastListing?.page.last else {
      return try await findLastPage(query, &session, &execution, in: context)
    }
    query.page = max(1, last)
    return try await PageLoader(query).load(&session, &execution, in: context)
  }

  /// Finds the last page in an edition that doesn't report a count.
  ///
  /// If no page has rows, page 1 is the last one.
  private func findLastPage(
    _ query: ListQuery, _ session: inout Session, _ execution: inout Execution, in context: CommandContext
  )
    async throws -> Report
  {
    let last = try await LastPage.find(after: 1) { page in
      try await isEmpty(page, query, &session, &execution, in: context)
    }
    var found = query
    found.page = last
    return try await PageLoader(found).load(&session, &execution, in: context)
  }

  private func isEmpty(
    _ page: Int, _ query: ListQuery, _ session: inout Session, _ execution: inout Execution, in context: CommandContext
  ) async throws -> Bool {
    var query = query
    query.page = page
    _ = try await PageLoader(query).load(&session, &execution, in: context)
    return session.lastListing?.page.products.isEmpty == true && session.lastListing?.page.broken.isEmpty == true
  }
}
