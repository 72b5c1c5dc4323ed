import Catalog
import Networking

/// Requests one product with all its fields.
package struct GetProduct: Endpoint {
  package var id: Product.ID
  package init(_ id: Product.ID) { self.id = id }

  /// Returns the request, which every edition supports.
  package func makeRequest(to market: MarketService) -> Request { market.edition.codec.show(id) }

  /// - Throws: `MarketError.notFound` for a deleted product, `.undecodable` for a body without a product or with another
  ///   one, otherwise the error for the status.
  package func decode(from reply: Response, of market: MarketService) throws -> Product {
    try ResponseDecoder(reply: reply, market: market).product(id, with: market.edition.codec)
  }
}
