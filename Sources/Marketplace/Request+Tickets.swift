import Networking

extension Request {
  /// The same with its keys as hidden as those of the shell's own deletions: the answer that is a ticket, the ticket in a
  /// path. For requests that a person spelled.
  ///
  /// - Parameter edition: nil for a server that was not asked for its own; then it may be any.
  package func hidingTickets(of edition: Edition?) -> Request {
    var request = self
    let editions = edition.map { [$0] } ?? Edition.allCases
    for wire in editions.map(\.wire) {
      if wire.asksForTicket(self) { request.answeredSecret = Credentials.ticketVariable }
      guard let ticket = wire.ticket(in: self) else { continue }
      request.secrets.append(NamedSecret(Credentials.ticketVariable, ticket))
    }
    return request
  }
}
