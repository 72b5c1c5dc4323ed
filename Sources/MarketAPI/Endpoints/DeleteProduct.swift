import Catalog
import Networking

/// Deletes a product permanently.
///
/// `training` and `open` require the token that `RequestDeletion` returns.
package struct DeleteProduct: Endpoint {
  package var id: Product.ID
  package var token: DeletionToken?

  package init(_ id: Product.ID, token: DeletionToken? = nil) {
    self.id = id
    self.token = token
  }

  /// - Throws: `MarketError.invalidDeletionURL` without a token that this server can have issued, `.notLoggedIn`.
  package func makeRequest(to market: MarketService) throws -> Request {
    try market.edition.codec.delete(id, token: token, as: market.credentials)
  }

  /// Returns the product as it was, or `nil` in an edition that returns only the id.
  ///
  /// - Throws: `MarketError.notFound` if it was already deleted (or, in the camp editions, if the password is wrong),
  ///   `.unreadable` after a success that names no product or another one, otherwise the error for the status.
  package func decode(from response: Response, of market: MarketService) throws -> Product? {
    let decoder = ResponseDecoder(response: response, market: market)
    if market.edition.capabilities.deletionReturnsProduct { return try decoder.product(id, with: market.edition.codec) }
    guard let gone = try? decoder.object().int("id") else {
      _ = try decoder.object()
      throw decoder.undecodable(.json)
    }
    guard gone == id else { throw decoder.undecodable(.otherProduct(gone)) }
    return nil
  }
}

extension Request {
  /// Returns the request with its deletion tokens marked as secrets: a response that is a token, and a token in the
  /// path.
  ///
  /// It is used for requests that a user wrote by hand; the shell's own deletions are marked when they are created. If
  /// the server's edition isn't known, the formats of all editions are checked.
  package func hidingDeletionTokens(of edition: Edition?) -> Request {
    var request = self
    let editions = edition.map { [$0] } ?? Edition.allCases
    for codec in editions.map(\.codec) {
      if codec.isDeletionTokenRequest(self) { request.responseSecretName = Credentials.deletionTokenVariable }
      guard let token = codec.deletionToken(in: self) else { continue }
      request.secrets.append(NamedSecret(Credentials.deletionTokenVariable, token))
    }
    return request
  }
}

/// Requests the token for a deletion.
///
/// It proves the vendor's identity and deletes nothing yet.
package struct RequestDeletion: Endpoint {
  package var id: Product.ID
  package init(_ id: Product.ID) { self.id = id }

  /// - Throws: `MarketError.unsupported(.requestDeletion)` in the camp editions, `.notLoggedIn`.
  package func makeRequest(to market: MarketService) throws -> Request {
    try market.edition.codec.requestDeletion(of: id, as: market.credentials)
  }

  /// - Throws: `MarketError.invalidDeletionURL` for a URL that isn't below the server's own `/api/products/`,
  ///   otherwise the error for the status.
  package func decode(from response: Response, of market: MarketService) throws -> DeletionToken {
    let decoder = ResponseDecoder(response: response, market: market)
    let text = try decoder.text()
    guard market.edition.codec.isValidToken(text), let secret = Secret(text) else {
      throw MarketError.invalidDeletionURL(excerpt: decoder.excerpt(text))
    }
    return DeletionToken(secret)
  }
}

extension RequestDeletion {
  /// Returns a token in the format of this edition, for showing the second request before the first was sent.
  package func placeholder(for edition: Edition, token: String) -> DeletionToken? {
    Secret(prefix(for: edition) + token).map { DeletionToken($0) }
  }

  /// Returns the text that precedes the token in the server's response.
  package func prefix(for edition: Edition) -> String { edition.capabilities.deletionTokenPrefix }
}

/// The token that `RequestDeletion` returns for the deletion itself.
///
/// It is a credential and is treated as a secret.
package struct DeletionToken: Hashable, Sendable {
  package let secret: Secret
  package init(_ secret: Secret) { self.secret = secret }
}
