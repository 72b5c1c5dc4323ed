/// An HTTP method (RFC 9110 section 9).
package enum RequestMethod: String, Hashable, Sendable, CaseIterable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case head = "HEAD"
  case options = "OPTIONS"

  /// Indicates whether the method is safe (RFC 9110 section 9.2.1).
  ///
  /// Only safe requests are sent again.
  package var isSafe: Bool {
    switch self {
    case .get, .head, .options: true
    case .post, .put, .patch, .delete: false
    }
  }
}
