import Catalog
import Marketplace
import Networking
import Presentation
import Scanning
import Text

/// Reads the page a query asks for and makes it the remembered one; shared by all commands that move through the list.
package struct PageLoader {
  package let query: ListQuery

  package init(_ query: ListQuery) { self.query = query }

  package func show(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    let market = try await context.market(&session)
    let edition = market.service.edition
    let watch = LateWatch(market.service, context)
    if let scan = query.scan {
      return remember(
        try await ScanListing(market: market, query: query, scan: scan).read(session, &execution, in: context),
        &session, watch)
    }
    if let search = query.search, !search.isEmpty, !edition.supports(.search) {
      return remember(
        try await ScanListing(market: market, query: query, scan: ScanQuery()).read(session, &execution, in: context),
        &session, watch)
    }
    if query.size != nil, query.size != session.query.size, !edition.supports(.pageSize) {
      context.say(
        .note("The size of a page is the server's own here.", ko: "여기서는 페이지 크기를 서버가 정합니다."), session)
    }
    let size = query.size ?? session.settings.pageSize
    let page = try await ReadingAhead(context).page(query.page, size: size, search: query.search, of: market)
    return remember(Listing(page, columns: query.columns, layout: query.layout, search: query.search), &session, watch)
  }

  private func remember(_ listing: Listing, _ session: inout Session, _ watch: LateWatch) -> Report {
    session.query = query
    session.remember(listing)
    watch.look(at: listing.page.products, &session)
    return .listing(listing)
  }
}

/// One page of a list: the one that was fetched ahead, or asked for now.
package struct ReadingAhead {
  private let context: Context

  package init(_ context: Context) { self.context = context }

  package func page(_ number: Int, size: Int, search: String?, of market: Client<Market>) async throws -> Page {
    let question = question(number, size, search, market)
    if let page = await context.ahead.take(question) { return page }
    return try await market.send(ListProducts(page: number, size: size, search: search))
  }

  /// Fetches the page after the one the session stands on, quietly, where there is one.
  package func prepare(_ session: Session) async {
    var session = session
    guard let listing = session.listing, listing.scan == nil, listing.page.number == session.query.page,
      listing.page.hasNext ?? !listing.page.products.isEmpty
    else { return }
    var quiet = context
    quiet.transport = context.bareTransport
    guard let market = try? await quiet.market(&session) else { return }
    let (number, search) = (session.query.page + 1, session.query.search)
    let size = session.query.size ?? session.settings.pageSize
    await context.ahead.prepare(question(number, size, search, market)) {
      try await market.send(ListProducts(page: number, size: size, search: search))
    }
  }

  private func question(
    _ number: Int, _ size: Int, _ search: String?, _ market: Client<Market>
  ) -> PageAhead.Question {
    PageAhead.Question(
      address: market.service.baseURL, edition: market.service.edition, page: number, size: size, search: search)
  }
}
