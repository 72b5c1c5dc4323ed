import Catalog
import Networking

/// Creates a product.
package struct CreateProduct: Endpoint {
  package var draft: ProductDraft
  /// The boundary of the multipart form, which must not occur in a picture.
  package var boundary: String

  package init(_ draft: ProductDraft, boundary: String) {
    self.draft = draft
    self.boundary = boundary
  }

  /// - Throws: `MarketError.notLoggedIn` with all missing parts, `.unsupported(.fractionalPrices)` in the camp
  ///   editions, `.invalidCredential` for an identifier that no header can carry.
  package func makeRequest(to market: MarketService) throws -> Request {
    try market.edition.codec.create(draft, boundary: boundary, as: market.credentials)
  }

  /// - Throws: `MarketError.undecodable` after a success without a product; it is then unknown whether the product was
  ///   created. Otherwise the error for the status.
  package func decode(from reply: Response, of market: MarketService) throws -> Product {
    try ResponseDecoder(reply: reply, market: market).product(with: market.edition.codec)
  }
}
