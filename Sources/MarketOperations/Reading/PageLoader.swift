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
    let watch = LateArrivalDetector(market.service, scope.context.stores)
    let searchesHere = query.search.map { !$0.isEmpty } == true && !dialect.supports(.search)
    if query.scan != nil || searchesHere {
      if !isNew, scope.session.isListingOfMarket, let matches = scope.session.listing.scan, matches.matches(query) {
        let listing = try await detailed(
          matches.page(query.page, size: scope.session.pageSize(of: query), like: query), from: market, in: scope)
        return CommandResult(remember(listing, watch: watch, in: &scope))
      }
      let scan = FullScanQuery(market: market, query: query, scan: query.scan ?? ScanQuery())
      let (whole, ending) = try await scan.read(into: sink, in: scope)
      guard query.showsPaged else {
        let listing = sink?.wasUsed == true ? whole : try await detailed(whole, from: market, in: scope)
        return result(remember(listing, watch: watch, in: &scope), ending)
      }
      let matches = ScanResultCache(whole, of: query)
      let listing = try await detailed(
        matches.page(query.page, size: scope.session.pageSize(of: query), like: query), from: market, in: scope)
      let report = remember(listing, watch: watch, in: &scope)
      scope.session.listing.scan = matches
      return result(report, ending)
    }
    if query.size != nil, query.size != scope.session.listing.query.size, !dialect.supports(.pageSize) {
      scope.say(
        .note("The server chooses the page size in this edition.", ko: "이 API 버전에서는 페이지 크기를 서버가 정합니다."))
    }
    let size = scope.session.pageSize(of: query)
    let page = try await scope.context.network.page(
      query.page, size: size, search: query.search, of: market)
    let listing = try await detailed(
      Listing(page, columns: query.columns, layout: query.layout, search: query.search), from: market, in: scope)
    return CommandResult(
      remember(listing, watch: watch, in: &scope),
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

  private func remember(_ listing: Listing, watch: LateArrivalDetector, in scope: inout CommandScope) -> Report {
    scope.session.listing.query = query
    if !listing.page.isFiltered { scope.session.listing.scan = nil }
    scope.session.remember(listing)
    for warning in watch.newWarnings(of: listing.page.products, &scope.session) { scope.say(warning) }
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

extension NetworkAccess {
  /// Returns a page, prefetched or requested now.
  ///
  /// - Throws: The client's errors.
  func page(_ number: Int, size: Int, search: String?, of market: Client<MarketService>) async throws -> Page {
    if let page = await pagePrefetch.consume(key(page: number, size: size, search: search, of: market)) { return page }
    return try await market.page(ListProducts(page: number, size: size, search: search))
  }

  fileprivate func key(
    page number: Int, size: Int, search: String?, of market: Client<MarketService>
  ) -> NextPageCache.Key {
    let address = market.service.baseURL
    return NextPageCache.Key(
      market: MarketIdentity(address: address.absoluteString, generation: markets.generation(at: address)),
      dialect: market.service.dialect, page: number, size: size, search: search)
  }
}

extension CommandScope {
  /// Prefetches the page after the session's current one without showing progress, if there is one.
  package func prefetchNextPage() async {
    guard let listing = session.listing.last, listing.scan == nil, listing.page.number == session.listing.query.page,
      listing.page.hasNext ?? !listing.page.products.isEmpty
    else { return }
    var quiet = self
    quiet.context.network.transport = context.network.bareTransport
    guard let market = try? await quiet.marketClient() else { return }
    let (number, search) = (session.listing.query.page + 1, session.listing.query.search)
    let size = quiet.session.pageSize(of: session.listing.query)
    // The pictures of a grid are fetched after the page, so that they don't delay it.
    let illustrator = listing.layout == .grid ? ReportPictureLoader(quiet) : nil
    let key = context.network.key(page: number, size: size, search: search, of: market)
    await context.network.pagePrefetch.prefetch(key) {
      var asked = ListProducts(page: number, size: size, search: search)
      asked.after = listing.page.next
      return try await market.page(asked)
    } then: { page in
      await illustrator?.fetchAhead(page)
    }
  }
}
