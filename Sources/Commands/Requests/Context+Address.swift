import Engine
import Foundation
import Marketplace

extension Context {
  /// Where the server of the session is, whatever edition it speaks, or none.
  package func address(of session: Session) async throws -> URL {
    if let url = session.place.url?.value { return url }
    return try await embedded(session.place.edition?.value ?? .open)
  }
}
