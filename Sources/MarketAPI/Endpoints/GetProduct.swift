import Catalog
import Networking

/// Requests one product with all its fields.
package struct GetProduct: Endpoint {
  package var id: Product.ID
  package init(_ id: Product.ID) { self.id = id }

  /// Returns the request, which every edition supports.
  package func makeRequest(to market: MarketService) -> Request { market.edition.codec.show(id) }

  /// - Throws: `MarketError.notFound` for a deleted product, `.unreadable` for a body without a product or with another
  ///   one, otherwise the error for the status.
  package func decode(from response: Response, of market: MarketService) throws -> Product {
    try ResponseDecoder(response: response, market: market).product(id, with: market.edition.codec)
  }
}

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
  package func decode(from response: Response, of market: MarketService) throws -> Output {
    let decoder = ResponseDecoder(response: response, market: market)
    let product = try decoder.product(id, with: market.edition.codec)
    let reported = market.edition.codec.serverSalePrice(in: try decoder.object())
    let differs = product.price != nil && product.discount != nil && reported != product.sale
    return Output(product: product, conflictingSalePrice: differs ? reported : nil)
  }
}
