import Catalog
import Marketplace
import Networking
import Presentation

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
