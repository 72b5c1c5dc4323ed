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
