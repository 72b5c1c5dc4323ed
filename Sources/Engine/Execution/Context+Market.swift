import Marketplace
import Networking

extension Context {
  /// A client for the market the session points at; waits for the embedded one to listen, finds the edition when it is not known.
  package func market(_ session: inout Session) async throws -> Client<Market> {
    if let url = session.place.url?.value, session.place.edition == nil {
      session.place.edition = try await EditionDetective(self).find(at: url, &session)
    }
    let edition = session.place.edition?.value ?? .open
    let url = if let url = session.place.url?.value { url } else { try await embedded(edition) }
    return Client(Market(url, edition: edition, credentials: session.credentials), through: try door(session))
  }
}
