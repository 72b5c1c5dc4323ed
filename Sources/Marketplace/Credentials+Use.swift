import Networking

extension Credentials? {
  /// The secret, named for the request that uses it.
  func needSecret() throws(MarketError) -> NamedSecret {
    guard let secret = self?.secret else { throw .notLoggedIn(missing: missing([.secret])) }
    return NamedSecret(Credentials.secretVariable, secret)
  }

  /// The identifier, refused when it could break out of its header.
  package func needIdentifier() throws(MarketError) -> NamedSecret {
    guard let text = self?.identifier, !text.isEmpty else {
      throw .notLoggedIn(missing: missing([.identifier]))
    }
    guard let identifier = Secret(text) else { throw .unsendable(.identifier) }
    return NamedSecret(Credentials.identifierVariable, identifier)
  }

  /// Both, with everything that is missing named at once.
  func needBoth() throws(MarketError) -> (identifier: NamedSecret, secret: NamedSecret) {
    if self?.secret == nil || self?.identifier?.isEmpty ?? true {
      throw .notLoggedIn(missing: missing([.identifier, .secret]))
    }
    return (try needIdentifier(), try needSecret())
  }

  private func missing(_ parts: [Credentials.Part]) -> [Credentials.Part] {
    parts.filter { part in
      switch part {
      case .identifier: self?.identifier?.isEmpty ?? true
      case .secret: self?.secret == nil
      }
    }
  }
}
