import Catalog
import Networking

/// The reason why a request to a market failed, as data; other modules turn it into messages.
///
/// Server text is limited to 500 characters and contains no secrets of ours, but it is untrusted: show it as
/// `.foreign` text.
package enum MarketError: Error, Hashable, Sendable {
  /// A complete response with an error status, and the server's message if it sent one: empty if its body isn't text.
  case refused(status: Int, message: String?)
  /// The product doesn't exist; the message is empty if a response other than 404 says so.
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
  case unsupported(Operation, Dialect)
  /// The market that a file describes has no such change, or these fields can't be set there.
  case undescribed(operations: [Operation], fields: [ProductField], Dialect)
  /// A change needs a member of the product that the market doesn't have, or has several times.
  case unsuitedProduct(DescriptionMismatch)
  /// The market takes the sale price, which can't be computed without the current product.
  case needsCurrentProduct(Dialect)
  /// The response to a deletion request is a URL that isn't below the server's own `/api/products/`.
  ///
  /// Nothing was deleted.
  case invalidDeletionURL(excerpt: String)
  /// No edition was recognized at this URL; the error is that of the response to the newest edition's list request.
  indirect case unknownEdition(MarketError)

  /// The kind of an unexpected body.
  package enum BodyKind: Hashable, Sendable {
    case empty
    case html
    case text
    /// Bytes that aren't text.
    case binary
    /// JSON of another structure.
    case json
    /// JSON with an invalid value in this field.
    case field(String, found: String)
    /// A product with a text that isn't Unicode.
    case invalidText(InvalidText, Product.ID?)
    /// A list in the format of these other editions.
    case list(of: [Edition])
    /// JSON that isn't as the description of the market says.
    case mismatch(DescriptionMismatch)
    /// A product with another id than the requested one.
    case otherProduct(Product.ID)
  }

  /// The HTTP status, if there was a response.
  package var status: Int? {
    switch self {
    case .refused(let status, _), .redirected(let status, _), .unreadable(let status, _, _): status
    case .notFound: 404
    case .tooManyRequests: 429
    case .notLoggedIn, .invalidCredential, .unsupported, .undescribed, .unsuitedProduct, .needsCurrentProduct,
      .invalidDeletionURL, .unknownEdition:
      nil
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
  /// The deletion URL or key isn't one of the product.
  case wrongDeletionKey
  /// Something is missing from the request, by its name in the edition.
  case missing(Piece, String)
  /// The value of a part or member isn't accepted, by its name in the edition.
  case invalidValue(String)
  /// The value of a part or member is of the wrong type, by its name in the edition.
  case wrongType(String)
  /// The URL has text where a number is expected.
  case notANumber
  case noProduct
  case unsupportedMethod
  /// The number in the body differs from the number in the path.
  case otherID
  /// The server wasn't started for the host name that the request has.
  case unknownHost
  /// A web page sent the request.
  case fromWebPage
  case tooManyPictures
  /// The body isn't a multipart form.
  case notAForm
  case unreadableForm
  case unreadableJSON

  /// A piece of a request.
  package enum Piece: Hashable, Sendable {
    case part, member, header
    /// A part or a member; the message says not which.
    case value
  }

  /// Recognizes a server message, or returns `nil` if it isn't known.
  package init?(_ message: String) {
    if let part = ServerErrorReason.missingPiece(message) ?? ServerErrorReason.wrongValue(message) {
      self = part
    } else if let reason = ServerErrorReason.fixed.first(where: { message.hasPrefix($0.0) })?.1 {
      self = reason
    } else if message.hasPrefix("Product "), message.hasSuffix(" does not exist") {
      self = .noProduct
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

  private static let fixed: [(String, ServerErrorReason)] = [
    ("The secret of the product does not match", .wrongDeletionKey), ("The delete URI is not valid", .wrongDeletionKey),
    ("Failed to convert value of type 'String' to required type 'int'", .notANumber),
    ("Request method '", .unsupportedMethod), ("Method Not Allowed", .unsupportedMethod),
    ("The id of the body is not the id of the path", .otherID),
    ("This server does not answer to the name", .unknownHost), ("Invalid CORS request", .fromWebPage),
  ]

  /// Recognizes Vapor's `Value required for key 'title'.`, and Spring's `Required request part 'params' is not present`
  /// and `name: must not be null`.
  private static func missingPiece(_ message: String) -> ServerErrorReason? {
    let starts: [(String, Piece)] = [
      ("Value required for key '", .value), ("Required request part '", .part), ("Required request header '", .header),
    ]
    for (start, piece) in starts where message.hasPrefix(start) {
      return .missing(piece, String(message.dropFirst(start.count).prefix { $0 != "'" }))
    }
    let end = ": must not be null"
    return message.hasSuffix(end) ? .missing(.member, String(message.dropLast(end.count))) : nil
  }

  /// Recognizes Spring's `price: must be greater than or equal to 0`, Jackson's `Cannot deserialize value of 'price' as …`, and
  /// Vapor's `Value of type 'Int' required for key 'price'.`.
  private static func wrongValue(_ message: String) -> ServerErrorReason? {
    if let match = message.firstMatch(
      of: #/^([a-z_]+): (?:must |size must |is too large|was given|the product has no)/#)
    {
      return .invalidValue(String(match.1))
    }
    if let match = message.firstMatch(
      of: #/^JSON parse error: Cannot deserialize value of '([^']+)'|^Value of type '[^']+' required for key '([^']+)'/#
    ) {
      return (match.1 ?? match.2).map { .wrongType(String($0)) }
    }
    return nil
  }
}
