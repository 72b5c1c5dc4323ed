import Catalog
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// Loads the page of a query and stores it as the session's last listing.
///
/// It is shared by all commands that move through the list.
package struct PageLoader {
  package let query: ListQuery

  package init(_ query: ListQuery) { self.query = query }

  /// Returns the listing of the page.
  ///
  /// - Parameters:
  ///   - session: The session, which stores the listing.
  ///   - execution: The state of the command.
  ///   - isNew: Whether cached matches of a full scan are ignored.
  ///   - sink: Receives the rows of a full scan as they arrive.
  ///   - context: The dependencies.
  /// - Returns: The listing.
  /// - Throws: The errors of the client, of opening the market, and of `sink`.
  package func load(
    _ session: inout Session, _ execution: inout Execution, isNew: Bool = false, into sink: StreamingRowWriter? = nil,
    in context: CommandContext
  ) async throws -> Report {
    let market = try await context.marketClient(&session)
    let edition = market.service.edition
    let watch = LateArrivalDetector(market.service, context)
    let searchesHere = query.search.map { !$0.isEmpty } == true && !edition.supports(.search)
    if query.scan != nil || searchesHere {
      if !isNew, let matches = session.scanCache, matches.matches(query) {
        return remember(matches.page(query.page, size: session.pageSize(of: query), like: query), &session, watch)
      }
      let scan = FullScanQuery(market: market, query: query, scan: query.scan ?? ScanQuery())
      let whole = try await scan.read(session, &execution, into: sink, in: context)
      guard query.showsPaged else { return remember(whole, &session, watch) }
      let matches = ScanResultCache(whole, of: query)
      let report = remember(matches.page(query.page, size: session.pageSize(of: query), like: query), &session, watch)
      session.scanCache = matches
      return report
    }
    if query.size != nil, query.size != session.listQuery.size, !edition.supports(.pageSize) {
      context.say(
        .note("The server chooses the page size in this edition.", ko: "이 API 버전에서는 페이지 크기를 서버가 정합니다."), session)
    }
    let size = session.pageSize(of: query)
    let page = try await PagePrefetcher(context).page(query.page, size: size, search: query.search, of: market)
    return remember(Listing(page, columns: query.columns, layout: query.layout, search: query.search), &session, watch)
  }

  private func remember(_ listing: Listing, _ session: inout Session, _ watch: LateArrivalDetector) -> Report {
    session.listQuery = query
    if !listing.page.isFiltered { session.scanCache = nil }
    session.remember(listing)
    watch.report(at: listing.page.products, &session)
    return .listing(listing)
  }
}

extension Session {
  /// Returns the number of products per page: that of the line or of `set page-size`, otherwise the number that fit on
  /// the screen, otherwise the default.
  package func pageSize(of query: ListQuery) -> Int {
    query.size ?? settings.pageSize ?? query.screenPageSize ?? Settings.defaultPageSize
  }
}

extension CommandContext {
  /// The number of products that fit on the screen together with the typed line, the heading, the caption and the next
  /// prompt, or `nil` without a terminal.
  package var productsOnScreen: Int? {
    guard asker != nil, console.outputIsTerminal, let height = console.height else { return nil }
    return min(100, max(5, height - 5))
  }
}
