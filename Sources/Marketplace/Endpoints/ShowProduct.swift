import Catalog
import Networking

/// One product with everything the market tells of it.
package struct ShowProduct: Endpoint {
  package var id: Product.ID
  package init(_ id: Product.ID) { self.id = id }

  package func request(to market: Market) throws -> Request { market.edition.codec.show(id) }

  /// - Throws: `MarketError.notFound` for a product that is gone, `.unreadable` for a body that is none or another product,
  ///   else the error of the status.
  package func answer(from reply: Reply, of market: Market) throws -> Product {
    try AnswerReader(reply: reply, market: market).product(id, with: market.edition.codec)
  }
}

/// One page of the market's products, newest first where the edition sorts.
package struct ListProducts: Endpoint {
  package var page: Int
  /// Rows a page; nil leaves it to the server. Only `training` and `open` can choose.
  package var size: Int?
  /// A part of a name or a vendor's name; only `open` searches.
  package var search: String?
  /// Of rows it does not hold for only the ids may come; nil wants all rows.
  package var wanted: RowFilter?

  package init(page: Int = 1, size: Int? = nil, search: String? = nil, wanted: RowFilter? = nil) {
    self.wanted = wanted
    self.page = page
    self.size = size
    self.search = search
  }

  /// - Throws: `MarketError.unsupported(.search)` where the edition does not search.
  package func request(to market: Market) throws -> Request {
    if search?.isEmpty == false, !market.edition.supports(.search) {
      throw MarketError.unsupported(.search, market.edition)
    }
    return market.edition.codec.list(self)
  }

  /// - Throws: `MarketError.unreadable` for a body that is no page of this edition, else the error of the status.
  package func answer(from reply: Reply, of market: Market) throws -> Page {
    if reply.status == 200, let page = market.edition.codec.plainPage(reply.body, asked: self) { return page }
    let answer = AnswerReader(reply: reply, market: market)
    guard let page = market.edition.codec.page(from: try answer.object(), asked: self) else {
      throw answer.unreadable(.json)
    }
    return page
  }
}

/// Which rows of a list are wanted whole: of the others nothing is made but what the filter had to look at, which makes
/// going through a whole market several times as fast where few rows are wanted. What is wrong elsewhere in a row that
/// is not wanted is not noticed.
package struct RowFilter: Sendable {
  /// What `holds` looks at besides the id.
  package let fields: Set<Field>
  package let holds: @Sendable (Product) -> Bool

  package init(fields: Set<Field>, holds: @escaping @Sendable (Product) -> Bool) {
    self.fields = fields
    self.holds = holds
  }
}
