import Catalog
import Networking

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

  package func request(to market: Market) throws -> Request {
    if search?.isEmpty == false, !market.edition.supports(.search) {
      throw MarketError.unsupported(.search, market.edition)
    }
    return market.edition.wire.list(self)
  }

  package func answer(from reply: Reply, of market: Market) throws -> Page {
    if reply.status == 200, let page = market.edition.wire.plainPage(reply.body, asked: self) { return page }
    let answer = AnswerReader(reply: reply, market: market)
    guard let page = market.edition.wire.page(from: try answer.object(), asked: self) else {
      throw answer.unreadable(.json)
    }
    return page
  }
}
