import Marketplace
import Networking

extension Context {
  /// No text of the journal holds one of these from here on.
  ///
  /// The identifier is left out, which may be a word of any address, and so are the keys of deletions, each of use once:
  /// where they are sent, placeholders stand for them.
  package func remember(_ secrets: [NamedSecret]) {
    let others = [Credentials.identifierVariable, Credentials.ticketVariable]
    self.secrets.add(secrets.filter { !others.contains($0.variable) })
  }
}
