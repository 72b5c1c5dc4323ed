import Foundation
import Networking

/// A server, its dialect and the credentials to use.
package struct MarketService: Service {
  package var baseURL: URL
  package var dialect: Dialect
  package var credentials: Credentials?

  package init(_ baseURL: URL, dialect: Dialect, credentials: Credentials? = nil) {
    self.baseURL = baseURL
    self.dialect = dialect
    self.credentials = credentials
  }
}

/// The credentials for a server: the vendor's identifier and secret, or in the camp editions the password of our
/// products.
package struct Credentials: Hashable, Sendable {
  package var identifier: String?
  package var secret: Secret?
  package var vendorID: Int?

  package init(identifier: String? = nil, secret: Secret? = nil, vendorID: Int? = nil) {
    self.identifier = identifier
    self.secret = secret
    self.vendorID = vendorID
  }

  /// A part of the credentials that a write may lack.
  package enum Part: String, Hashable, Sendable, CaseIterable {
    case identifier
    case secret
  }

  // The environment variables that a curl command reads the parts from.
  package static let identifierVariable = "OPENMARKET_IDENTIFIER"
  package static let basicVariable = "OPENMARKET_BASIC"
  package static let secretVariable = "OPENMARKET_SECRET"
  package static let deletionTokenVariable = "OPENMARKET_DELETE_TOKEN"
}

extension Credentials? {
  /// Returns the secret with the name that requests use for it.
  func needSecret() throws(MarketError) -> NamedSecret {
    guard let secret = self?.secret else { throw .notLoggedIn(missing: missing([.secret])) }
    return NamedSecret(Credentials.secretVariable, secret)
  }

  /// Returns the identifier, if it can't break out of its header.
  ///
  /// - Throws: `MarketError.notLoggedIn` if there is none, `.invalidCredential` for one that no header can carry.
  package func needIdentifier() throws(MarketError) -> NamedSecret {
    guard let text = self?.identifier, !text.isEmpty else {
      throw .notLoggedIn(missing: missing([.identifier]))
    }
    guard let identifier = Secret(text) else { throw .invalidCredential(.identifier) }
    return NamedSecret(Credentials.identifierVariable, identifier)
  }

  /// Returns identifier and secret, or throws an error that names all missing parts.
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
