import Catalog
import Networking

/// Asks a camp server whether our password fits an item: a change of nothing (see Protocol). Nothing is written.
package struct AskOwnership: Endpoint {
  package var id: Product.ID
  package var boundary: String

  package init(_ id: Product.ID, boundary: String) {
    self.id = id
    self.boundary = boundary
  }

  /// - Throws: `MarketError.unsupported(.askOwnership)` in the editions with vendors, `.notLoggedIn`.
  package func request(to market: Market) throws -> Request {
    guard market.edition.supports(.askOwnership) else { throw MarketError.unsupported(.askOwnership, market.edition) }
    return try market.edition.codec.edit(EditProduct(id, Fields(), boundary: boundary), as: market.credentials)
  }

  /// False also for an item that is gone: the servers answer both alike.
  ///
  /// - Throws: `MarketError.unreadable` for another body, else the error of the status.
  package func answer(from reply: Reply, of market: Market) throws -> Bool {
    do {
      _ = try AnswerReader(reply: reply, market: market).product(id, with: market.edition.codec)
      return true
    } catch MarketError.notFound(_) {
      return false
    }
  }
}
