import Marketplace
import Networking

extension Session {
  /// The credentials of the session, to be hidden wherever a server repeats them.
  package var secrets: [NamedSecret] {
    [
      credentials.secret.map { NamedSecret(Credentials.secretVariable, $0) },
      credentials.identifier.flatMap { Secret($0) }.map { NamedSecret(Credentials.identifierVariable, $0) },
    ].compactMap { $0 }
  }
}
