import Catalog
import Marketplace
import Networking
import Presentation

/// Reads the page a query asks for and makes it the remembered one; shared by all commands that move through the list.
struct Pager {
  let query: ListQuery

  init(_ query: ListQuery) { self.query = query }

  func show(_ session: inout Session, in context: Context) async throws -> Report {
    let size = query.size ?? session.settings.pageSize
    let page = try await context.market(&session).send(
      ListProducts(page: query.page, size: size, search: query.search))
    let listing = Listing(page, columns: query.columns, layout: query.layout, search: query.search)
    session.query = query
    session.remember(listing)
    return .listing(listing)
  }
}
