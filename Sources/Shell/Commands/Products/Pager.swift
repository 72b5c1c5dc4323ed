import Catalog
import Foundation
import Marketplace
import Networking
import Presentation

/// Reads the page a query asks for and makes it the remembered one; shared by all commands that move through the list.
struct Pager {
  let query: ListQuery

  init(_ query: ListQuery) { self.query = query }

  func show(_ session: inout Session, in context: Context) async throws -> Report {
    let market = try await context.market(&session)
    let edition = market.service.edition
    if let search = query.search, !search.isEmpty, !edition.supports(.search) {
      return try await filtered(search, market, &session, in: context)
    }
    if query.size != nil, query.size != session.query.size, !edition.supports(.pageSize) {
      context.say(
        .note("The size of a page is the server's own here.", ko: "여기서는 한 쪽의 크기를 서버가 정합니다."), session)
    }
    let size = query.size ?? session.settings.pageSize
    let page = try await ReadingAhead(context).page(query.page, size: size, search: query.search, of: market)
    return remember(Listing(page, columns: query.columns, layout: query.layout, search: query.search), &session)
  }

  /// Where the server cannot search: reads every page and chooses here, by name or vendor as a server that can does.
  private func filtered(
    _ search: String, _ market: Client<Market>, _ session: inout Session, in context: Context
  ) async throws -> Report {
    context.say(
      .note("This edition's server does not search; filtered here.", ko: "이 판의 서버는 찾아 주지 않아 여기서 골랐습니다."),
      session)
    let (pages, products) = try await Scan(market).all()
    let found = products.filter { product in
      [product.name, product.vendor].compactMap(\.self).contains {
        $0.range(of: search, options: .caseInsensitive) != nil
      }
    }
    let page = Page(number: 1, total: found.count, last: 1, hasNext: false, hasPrevious: false, products: found)
    let scan = Listing.Scan(pagesRead: pages, productsRead: products.count, complete: true)
    return remember(
      Listing(page, columns: query.columns, layout: query.layout, search: search, scan: scan), &session)
  }

  private func remember(_ listing: Listing, _ session: inout Session) -> Report {
    session.query = query
    session.remember(listing)
    return .listing(listing)
  }
}
