import Catalog
import Networking

/// Takes a product down for good. `training` and `open` need the ticket of `RequestDeletion`.
package struct DeleteProduct: Endpoint {
  package var id: Product.ID
  package var ticket: DeletionTicket?

  package init(_ id: Product.ID, ticket: DeletionTicket? = nil) {
    self.id = id
    self.ticket = ticket
  }

  package func request(to market: Market) throws -> Request {
    try market.edition.wire.delete(id, ticket: ticket, as: market.credentials)
  }

  /// The product as it was; nil where the edition answers the id alone.
  package func answer(from reply: Reply, of market: Market) throws -> Product? {
    let answer = AnswerReader(reply: reply, market: market)
    if market.edition.traits.answersDeletedProduct { return try answer.product(id, with: market.edition.wire) }
    guard let gone = try? answer.object().int("id") else {
      _ = try answer.object()
      throw answer.unreadable(.json)
    }
    guard gone == id else { throw answer.unreadable(.otherProduct(gone)) }
    return nil
  }
}
