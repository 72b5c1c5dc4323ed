import Catalog

/// The reason why a request to a market failed, as data; other modules turn it into messages.
///
/// Server text is limited to 500 characters and contains no secrets of ours, but it is untrusted: show it as
/// `.otherEdition`.
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

/// The reason for a rejection, recognized from the server's message.
///
/// The texts are those of the servers (see the article Protocol) and of the frameworks they were built with.
package enum ServerErrorReason: Hashable, Sendable {
  /// The vendor's secret doesn't belong to the identifier.
  case wrongSecret
  /// The password doesn't belong to the item.
  case wrongPassword
  case unknownVendor
  case foreignProduct
  /// A part or member is missing from the request, by its name in the edition.
  case missing(String)
  case tooManyPictures
  /// The body isn't a multipart form.
  case notAForm
  case unreadableForm
  case unreadableJSON

  /// Recognizes a server message, or returns `nil` if it isn't known.
  package init?(_ message: String) {
    if let part = ServerErrorReason.missingPart(message) {
      self = part
    } else if message.hasPrefix("The number of images must be") {
      self = .tooManyPictures
    } else if message.contains("must be multipart/form-data") || message.contains("is not a multipart request") {
      self = .notAForm
    } else if message.hasPrefix("Failed to parse multipart") {
      self = .unreadableForm
    } else if message.hasPrefix("JSON parse error") {
      self = .unreadableJSON
    } else {
      let words = message.lowercased()
      if words.contains("another vendor") {
        self = .foreignProduct
      } else if words.contains("password") {
        self = .wrongPassword
      } else if words.contains("secret") {
        self = .wrongSecret
      } else if words.contains("identifier") {
        self = .unknownVendor
      } else {
        return nil
      }
    }
  }

  /// Recognizes Vapor's `Value required for key 'title'.`, and Spring's `Required makeRequest part 'params' is not present`
  /// and `name: must not be null`.
  private static func missingPart(_ message: String) -> ServerErrorReason? {
    for start in ["Value required for key '", "Required request part '", "Required request header '"]
    where message.hasPrefix(start) {
      return .missing(String(message.dropFirst(start.count).prefix { $0 != "'" }))
    }
    let end = ": must not be null"
    return message.hasSuffix(end) ? .missing(String(message.dropLast(end.count))) : nil
  }
}
