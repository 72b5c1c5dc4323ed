import Catalog
import Networking

/// Puts a new product up.
package struct CreateProduct: Endpoint {
  package var draft: Draft
  /// Of the form; must not occur in a picture.
  package var boundary: String

  package init(_ draft: Draft, boundary: String) {
    self.draft = draft
    self.boundary = boundary
  }

  /// - Throws: `MarketError.notLoggedIn` with all that is missing; `.unsupported(.fractionalPrices)` in the camp editions;
  ///   `.unsendable` for an identifier that a header cannot carry.
  package func request(to market: Market) throws -> Request {
    try market.edition.codec.create(draft, boundary: boundary, as: market.credentials)
  }

  /// - Throws: `MarketError.unreadable` after a success without a product: whether it was made is then unknown; else the
  ///   error of the status.
  package func answer(from reply: Reply, of market: Market) throws -> Product {
    try AnswerReader(reply: reply, market: market).product(with: market.edition.codec)
  }
}
