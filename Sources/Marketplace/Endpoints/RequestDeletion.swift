import Catalog
import Networking

/// The first of the two calls of a deletion: proves who we are and deletes nothing yet.
package struct RequestDeletion: Endpoint {
  package var id: Product.ID
  package init(_ id: Product.ID) { self.id = id }

  package func request(to market: Market) throws -> Request {
    try market.edition.wire.requestDeletion(of: id, as: market.credentials)
  }

  package func answer(from reply: Reply, of market: Market) throws -> DeletionTicket {
    let answer = AnswerReader(reply: reply, market: market)
    let text = try answer.text()
    guard market.edition.wire.accepts(ticket: text), let secret = Secret(text) else {
      throw MarketError.strangeDeletionAddress(excerpt: answer.excerpt(text))
    }
    return DeletionTicket(secret)
  }
}
