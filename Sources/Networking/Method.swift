/// An HTTP method (RFC 9110 section 9).
package enum Method: String, Hashable, Sendable, Codable, CaseIterable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case head = "HEAD"
  case options = "OPTIONS"

  /// Only reads may be sent twice.
  package var isRead: Bool {
    switch self {
    case .get, .head, .options: true
    case .post, .put, .patch, .delete: false
    }
  }
}
