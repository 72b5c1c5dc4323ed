/// What a server means with its refusal, where its own words tell; the shell puts it into words for a person.
///
/// The texts are those of the servers (protocol.md A.6, B.7, C.8) and of the frameworks they were made with.
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
