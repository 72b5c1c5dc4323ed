import Catalog
import Marketplace
import Networking
import Presentation
import Scanning
import Text

/// Reads the page a query asks for and makes it the remembered one; shared by all commands that move through the list.
package struct Pager {
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
        try await ScanListing(query: query, scan: scan).read(&session, &execution, in: context), &session, watch)
    }
    if let search = query.search, !search.isEmpty, !edition.supports(.search) {
      return remember(
        try await ScanListing(query: query, scan: ScanQuery()).read(&session, &execution, in: context), &session, watch)
    }
    if query.size != nil, query.size != session.query.size, !edition.supports(.pageSize) {
      context.say(
        .note("The size of a page is the server's own here.", ko: "여기서는 한 쪽의 크기를 서버가 정합니다."), session)
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
