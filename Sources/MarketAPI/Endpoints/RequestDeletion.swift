import Catalog
import Networking

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
  package func decode(from reply: Response, of market: MarketService) throws -> DeletionToken {
    let answer = ResponseDecoder(reply: reply, market: market)
    let text = try answer.text()
    guard market.edition.codec.isValidToken(text), let secret = Secret(text) else {
      throw MarketError.invalidDeletionURL(excerpt: answer.excerpt(text))
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
