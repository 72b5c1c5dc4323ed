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

  package func request(to market: Market) throws -> Request {
    try market.edition.wire.create(draft, boundary: boundary, as: market.credentials)
  }

  package func answer(from reply: Reply, of market: Market) throws -> Product {
    try AnswerReader(reply: reply, market: market).product(with: market.edition.wire)
  }
}
