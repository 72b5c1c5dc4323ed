import Catalog

/// The reason why a request to a market failed, as data; other modules turn it into messages.
///
/// Server text is limited to 500 characters and contains no secrets of ours, but it is untrusted: show it as
/// `.foreign` text.
package enum MarketError: Error, Hashable, Sendable {
  /// A complete response with an error status, and the server's message if it sent one.
  case refused(status: Int, message: String?)
  case notFound(message: String?)
  /// Status 429, with the seconds to wait if the server sent them.
  case tooManyRequests(retryAfter: Int?, message: String?)
  /// A redirection (3xx), which is never followed.
  case redirected(status: Int, to: String?)
  /// A successful response with an unexpected body.
  ///
  /// After a write, its outcome is unknown.
  case unreadable(status: Int, kind: BodyKind, excerpt: String)
  case notLoggedIn(missing: [Credentials.Part])
  /// A part of the credentials contains characters that no header can carry.
  case invalidCredential(Credentials.Part)
  case unsupported(Operation, Edition)
  /// The edition sends the sale price, which can't be computed without the current product.
  case needsCurrentProduct(Edition)
  /// The response to a deletion request is a URL that isn't below the server's own `/api/products/`.
  ///
  /// Nothing was deleted.
  case invalidDeletionURL(excerpt: String)
  /// No edition was recognized at this URL.
  case unknownEdition

  /// The kind of an unexpected body.
  package enum BodyKind: Hashable, Sendable {
    case empty
    case html
    case text
    /// JSON of another structure.
    case json
    /// JSON with an invalid value in this field.
    case field(String, found: String)
    /// A list in the format of these other editions.
    case list(of: [Edition])
    /// A product with another id than the requested one.
    case otherProduct(Product.ID)
  }

  /// The HTTP status, if there was a response.
  package var status: Int? {
    switch self {
    case .refused(let status, _), .redirected(let status, _), .unreadable(let status, _, _): status
    case .notFound: 404
    case .tooManyRequests: 429
    case .notLoggedIn, .invalidCredential, .unsupported, .needsCurrentProduct, .invalidDeletionURL, .unknownEdition: nil
    }
  }
}
