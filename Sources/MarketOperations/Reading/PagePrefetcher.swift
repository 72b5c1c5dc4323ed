import Catalog
import MarketAPI
import Networking
import Presentation
import ShellRuntime

/// Pages of a list, prefetched or requested now.
package struct PagePrefetcher {
  private let context: CommandContext

  package init(_ context: CommandContext) { self.context = context }

  /// Returns a page, prefetched or requested now.
  ///
  /// - Throws: The client's errors.
  package func page(_ number: Int, size: Int, search: String?, of market: Client<MarketService>) async throws -> Page {
    let question = question(number, size, search, market)
    if let page = await context.pagePrefetch.consume(question) { return page }
    return try await market.send(ListProducts(page: number, size: size, search: search))
  }

  /// Prefetches the page after the session's current one without showing progress, if there is one.
  package func prepare(_ session: Session) async {
    var session = session
    guard let listing = session.listing.last, listing.scan == nil, listing.page.number == session.listing.query.page,
      listing.page.hasNext ?? !listing.page.products.isEmpty
    else { return }
    var quiet = context
    quiet.transport = context.bareTransport
    guard let market = try? await quiet.marketClient(&session) else { return }
    let (number, search) = (session.listing.query.page + 1, session.listing.query.search)
    let size = session.pageSize(of: session.listing.query)
    // The pictures of a grid are fetched after the page, so that they don't delay it.
    let illustrator = listing.layout == .grid ? ReportPictureLoader(session, quiet) : nil
    await context.pagePrefetch.prefetch(question(number, size, search, market)) {
      try await market.send(ListProducts(page: number, size: size, search: search))
    } then: { page in
      await illustrator?.fetchAhead(page)
    }
  }

  private func question(
    _ number: Int, _ size: Int, _ search: String?, _ market: Client<MarketService>
  ) -> PrefetchedPage.Key {
    PrefetchedPage.Key(
      address: market.service.baseURL, edition: market.service.edition, page: number, size: size, search: search)
  }
}
