import Catalog

/// Why a market did not do what was asked, as facts; the shell puts them into words.
///
/// Text of a server is at most 500 characters and without our secrets, and still hostile: show it as `.foreign`.
package enum MarketError: Error, Hashable, Sendable {
  /// A complete answer that is no success, with the server's message when it gave one.
  case refused(status: Int, message: String?)
  case notFound(message: String?)
  /// 429; the seconds to wait when the server told.
  case busy(retryAfter: Int?, message: String?)
  /// 3xx; never followed.
  case redirected(status: Int, to: String?)
  /// A success whose body is not what was asked for. After a write, its outcome is unknown.
  case unreadable(status: Int, kind: Kind, excerpt: String)
  case notLoggedIn(missing: [Credentials.Part])
  /// A part of the credentials holds characters that a header cannot carry.
  case unsendable(Credentials.Part)
  case unsupported(Operation, Edition)
  /// The edition sends the sale price, which needs the product as it is now.
  case needsCurrentProduct(Edition)
  /// The server answered a deletion with an address that is not on its own `/api/products/`; nothing was deleted.
  case strangeDeletionAddress(excerpt: String)
  /// No edition was recognised at this address.
  case unknownEdition

  /// What a body was instead.
  package enum Kind: Hashable, Sendable {
    case empty
    case html
    case text
    /// JSON of another shape.
    case json
    /// JSON, but not readable at this field.
    case field(String, found: String)
    /// A product, but not the one that was asked for.
    case otherProduct(Product.ID)
  }

  /// The status of the answer, when one came.
  package var status: Int? {
    switch self {
    case .refused(let status, _), .redirected(let status, _), .unreadable(let status, _, _): status
    case .notFound: 404
    case .busy: 429
    case .notLoggedIn, .unsendable, .unsupported, .needsCurrentProduct, .strangeDeletionAddress, .unknownEdition: nil
    }
  }
}
