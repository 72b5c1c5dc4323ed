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
    /// A list as these editions write it, and ours does not.
    case list(of: [Edition])
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

/// What a server means with its refusal, where its own words tell; the shell puts it into words for a person.
///
/// The texts are those of the servers (see Protocol) and of the frameworks they were made with.
package enum Complaint: Hashable, Sendable {
  /// The vendor's secret does not fit the identifier.
  case wrongSecret
  /// The password does not fit the item.
  case wrongPassword
  case unknownVendor
  case foreignProduct
  /// A part or member of the request by its name in the edition.
  case missing(String)
  case tooManyPictures
  /// Something else came where a multipart form is due.
  case notAForm
  case unreadableForm
  case unreadableJSON

  /// Nil when the words tell nothing that is known.
  package init?(_ message: String) {
    if let part = Complaint.missingPart(message) {
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

  /// Vapor: `Value required for key 'title'.`; Spring: `Required request part 'params' is not present` and
  /// `name: must not be null`.
  private static func missingPart(_ message: String) -> Complaint? {
    for start in ["Value required for key '", "Required request part '", "Required request header '"]
    where message.hasPrefix(start) {
      return .missing(String(message.dropFirst(start.count).prefix { $0 != "'" }))
    }
    let end = ": must not be null"
    return message.hasSuffix(end) ? .missing(String(message.dropLast(end.count))) : nil
  }
}
