import Foundation
import HTTPTypes

/// A request as the editions see it: complete, and checked as far as HTTP goes.
struct Call: Sendable {
  /// The scheme and authority that the caller used; pictures are given under it, so whichever server answers serves them.
  var base: String
  var query: Query
  var headers: HTTPFields
  /// The named steps of the path, as they were sent.
  var names: [Substring: Substring]
  var body: Data

  var identifier: String? { headers[.identifier] }
  var contentType: String? { headers[.contentType] }
  var cause: Cause { Cause(body: body, request: headers[.requestID]) }

  /// A named part of the path, decoded.
  func text(_ name: String) -> String {
    let raw = String(names[name[...]] ?? "")
    return raw.removingPercentEncoding ?? raw
  }

  /// A number in the path. Throws a 400 when it is none.
  func number(_ name: String) throws(Refusal) -> Int64 {
    let text = text(name)
    guard let number = Int64(text) else {
      throw .malformed("Failed to convert value of type 'String' to required type 'int'; For input string: \"\(text)\"")
    }
    return number
  }
}

extension HTTPField.Name {
  /// The vendor's name at the door of `training` and `open`.
  static let identifier = HTTPField.Name("identifier")!
  /// Kept with the effect of a request.
  static let requestID = HTTPField.Name("X-Request-Id")!
}
