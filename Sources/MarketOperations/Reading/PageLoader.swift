import Catalog
import FoundationEssentials
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
  ///   - isNew: Whether cached matches of a full scan are ignored.
  ///   - sink: Receives the rows of a full scan as they arrive.
  ///   - scope: The scope of the command, whose session stores the listing.
  /// - Returns: The listing.
  /// - Throws: The errors of the client, of opening the market, and of `sink`.
  package func load(isNew: Bool = false, into sink: StreamingRowWriter? = nil, in scope: inout CommandScope)
    async throws -> CommandResult
  {
    let market = try await scope.marketClient()
    let dialect = market.service.dialect
    let watch = LateArrivalDetector(market.service, scope.context)
    let searchesHere = query.search.map { !$0.isEmpty } == true && !dialect.supports(.search)
    if query.scan != nil || searchesHere {
      if !isNew, scope.session.isListingOfMarket, let matches = scope.session.listing.scan, matches.matches(query) {
        let listing = try await detailed(
          matches.page(query.page, size: scope.session.pageSize(of: query), like: query), from: market, in: scope)
        return CommandResult(remember(listing, session: &scope.session, watch: watch))
      }
      let scan = FullScanQuery(market: market, query: query, scan: query.scan ?? ScanQuery())
      let (whole, ending) = try await scan.read(into: sink, in: scope)
      guard query.showsPaged else {
        let listing = sink?.wasUsed == true ? whole : try await detailed(whole, from: market, in: scope)
        return result(remember(listing, session: &scope.session, watch: watch), ending)
      }
      let matches = ScanResultCache(whole, of: query)
      let listing = try await detailed(
        matches.page(query.page, size: scope.session.pageSize(of: query), like: query), from: market, in: scope)
      let report = remember(listing, session: &scope.session, watch: watch)
      scope.session.listing.scan = matches
      return result(report, ending)
    }
    if query.size != nil, query.size != scope.session.listing.query.size, !dialect.supports(.pageSize) {
      scope.say(
        .note("The server chooses the page size in this edition.", ko: "이 API 버전에서는 페이지 크기를 서버가 정합니다."))
    }
    let size = scope.session.pageSize(of: query)
    let page = try await NextPagePrefetcher(scope.context).page(
      query.page, size: size, search: query.search, of: market)
    let listing = try await detailed(
      Listing(page, columns: query.columns, layout: query.layout, search: query.search), from: market, in: scope)
    return CommandResult(
      remember(listing, session: &scope.session, watch: watch),
      status: page.broken.isEmpty ? .success : .partialFailure)
  }

  /// Returns a list with what its columns need in addition to the rows that the server lists.
  private func detailed(
    _ listing: Listing, from market: Client<MarketService>, in scope: CommandScope
  ) async throws -> Listing {
    guard let details = ListedDetails(for: listing.columns, from: market) else { return listing }
    var listing = listing
    listing.page.products = try await details.completed(listing.page.products, in: scope)
    return listing
  }

  private func result(_ report: Report, _ ending: FullScanQuery.ScanEnding) -> CommandResult {
    var result = CommandResult(report, status: ending.status)
    result.closingMessages = ending.closingMessages
    result.isCutShort = ending.isCutShort
    return result
  }

  private func remember(_ listing: Listing, session: inout Session, watch: LateArrivalDetector) -> Report {
    session.listing.query = query
    if !listing.page.isFiltered { session.listing.scan = nil }
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

extension RunningProgram {
  /// The number of products that fit on the screen together with the typed line, the heading, the caption and the next
  /// prompt, or `nil` without a terminal.
  package var productsOnScreen: Int? {
    guard asker != nil, console.outputIsTerminal, let height = console.height else { return nil }
    return min(100, max(5, height - 5))
  }
}

/// Pages of a list, prefetched or requested now.
package struct NextPagePrefetcher {
  private let context: CommandContext

  package init(_ context: CommandContext) { self.context = context }

  /// Returns a page, prefetched or requested now.
  ///
  /// - Throws: The client's errors.
  package func page(_ number: Int, size: Int, search: String?, of market: Client<MarketService>) async throws -> Page {
    let question = question(page: number, size: size, search: search, of: market)
    if let page = await context.network.pagePrefetch.consume(question) { return page }
    return try await market.page(ListProducts(page: number, size: size, search: search))
  }

  /// Prefetches the page after the session's current one without showing progress, if there is one.
  package func prepare(_ session: Session) async {
    guard let listing = session.listing.last, listing.scan == nil, listing.page.number == session.listing.query.page,
      listing.page.hasNext ?? !listing.page.products.isEmpty
    else { return }
    var quiet = CommandScope(session, context)
    quiet.context.network.transport = context.network.bareTransport
    guard let market = try? await quiet.marketClient() else { return }
    let (number, search) = (session.listing.query.page + 1, session.listing.query.search)
    let size = quiet.session.pageSize(of: session.listing.query)
    // The pictures of a grid are fetched after the page, so that they don't delay it.
    let illustrator = listing.layout == .grid ? ReportPictureLoader(quiet) : nil
    await context.network.pagePrefetch.prefetch(question(page: number, size: size, search: search, of: market)) {
      var asked = ListProducts(page: number, size: size, search: search)
      asked.after = listing.page.next
      return try await market.page(asked)
    } then: { page in
      await illustrator?.fetchAhead(page)
    }
  }

  private func question(
    page number: Int, size: Int, search: String?, of market: Client<MarketService>
  ) -> NextPageCache.Key {
    let address = market.service.baseURL
    return NextPageCache.Key(
      market: MarketIdentity(
        address: address.absoluteString, generation: context.network.markets.generation(at: address)),
      dialect: market.service.dialect, page: number, size: size, search: search)
  }
}
