import Catalog
import Networking

/// Requests a product like `GetProduct`, and reports a sale price that contradicts the other prices.
package struct GetProductWithServerPrice: Endpoint {
  /// The product, and the contradicting sale price.
  package struct Output: Hashable, Sendable {
    package var product: Product
    /// The sale price in the response if it isn't list price minus discount.
    package var conflictingSalePrice: Amount?
  }

  package var id: Product.ID
  package init(_ id: Product.ID) { self.id = id }

  package func makeRequest(to market: MarketService) -> Request { market.edition.codec.show(id) }

  /// - Throws: The errors of `GetProduct`.
  package func decode(from reply: Response, of market: MarketService) throws -> Output {
    let answer = ResponseDecoder(reply: reply, market: market)
    let product = try answer.product(id, with: market.edition.codec)
    let reported = market.edition.codec.serverSalePrice(in: try answer.object())
    let differs = product.price != nil && product.discount != nil && reported != product.sale
    return Output(product: product, conflictingSalePrice: differs ? reported : nil)
  }
}
