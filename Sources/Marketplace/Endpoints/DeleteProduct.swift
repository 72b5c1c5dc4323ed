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

  /// - Throws: `MarketError.strangeDeletionAddress` without a ticket that this server can have given, `.notLoggedIn`.
  package func request(to market: Market) throws -> Request {
    try market.edition.codec.delete(id, ticket: ticket, as: market.credentials)
  }

  /// The product as it was; nil where the edition answers the id alone.
  ///
  /// - Throws: `MarketError.notFound` when it was gone already (or, in the camp editions, the password is wrong),
  ///   `.unreadable` after a success that names no or another product, else the error of the status.
  package func answer(from reply: Reply, of market: Market) throws -> Product? {
    let answer = AnswerReader(reply: reply, market: market)
    if market.edition.traits.answersDeletedProduct { return try answer.product(id, with: market.edition.codec) }
    guard let gone = try? answer.object().int("id") else {
      _ = try answer.object()
      throw answer.unreadable(.json)
    }
    guard gone == id else { throw answer.unreadable(.otherProduct(gone)) }
    return nil
  }
}

/// The first of the two calls of a deletion: proves who we are and deletes nothing yet.
package struct RequestDeletion: Endpoint {
  package var id: Product.ID
  package init(_ id: Product.ID) { self.id = id }

  /// - Throws: `MarketError.unsupported(.requestDeletion)` in the camp editions, `.notLoggedIn`.
  package func request(to market: Market) throws -> Request {
    try market.edition.codec.requestDeletion(of: id, as: market.credentials)
  }

  /// - Throws: `MarketError.strangeDeletionAddress` for an address that is not on the server's own `/api/products/`, else
  ///   the error of the status.
  package func answer(from reply: Reply, of market: Market) throws -> DeletionTicket {
    let answer = AnswerReader(reply: reply, market: market)
    let text = try answer.text()
    guard market.edition.codec.accepts(ticket: text), let secret = Secret(text) else {
      throw MarketError.strangeDeletionAddress(excerpt: answer.excerpt(text))
    }
    return DeletionTicket(secret)
  }
}

extension RequestDeletion {
  /// A ticket as this edition's server would give it, for showing the second call before the first was made.
  package func placeholder(for edition: Edition, token: String) -> DeletionTicket? {
    Secret(prefix(for: edition) + token).map { DeletionTicket($0) }
  }

  /// What stands before the token in the server's answer.
  package func prefix(for edition: Edition) -> String { edition.traits.ticketPrefix }
}

/// What the first call of a deletion gives for the second: as good as a key, so it is kept like a secret.
package struct DeletionTicket: Hashable, Sendable {
  package let secret: Secret
  package init(_ secret: Secret) { self.secret = secret }
}

extension Request {
  /// The same with its keys as hidden as those of the shell's own deletions: the answer that is a ticket, the ticket in a
  /// path. For requests that a person spelled.
  ///
  /// - Parameter edition: nil for a server that was not asked for its own; then it may be any.
  package func hidingTickets(of edition: Edition?) -> Request {
    var request = self
    let editions = edition.map { [$0] } ?? Edition.allCases
    for codec in editions.map(\.codec) {
      if codec.asksForTicket(self) { request.answeredSecret = Credentials.ticketVariable }
      guard let ticket = codec.ticket(in: self) else { continue }
      request.secrets.append(NamedSecret(Credentials.ticketVariable, ticket))
    }
    return request
  }
}
