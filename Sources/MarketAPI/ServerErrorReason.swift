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

  /// Recognizes Vapor's `Value required for key 'title'.`, and Spring's `Required request part 'params' is not present`
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
