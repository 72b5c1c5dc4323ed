import Foundation

/// The class of a status code, by what it says about the request: carried out, certainly not, or unknown.
///
/// The only such table, used for product writes, raw requests, deletions and login checks (RFC 9110 section 15; 429 is
/// RFC 6585 section 4).
package enum StatusClass: Hashable, Sendable {
  /// 2xx.
  case success
  /// 3xx: the request belongs to another URL.
  ///
  /// Redirects are not followed.
  case redirection
  /// 4xx except 408 and 429: a final rejection; nothing was done.
  case clientError
  /// 429: not processed now; the request may be sent again later.
  case tooManyRequests
  /// 408, 5xx and every status that is not final: unknown whether the request was carried out.
  case indeterminate

  package init(_ status: Int) {
    self =
      switch status {
      case 200..<300: .success
      case 300..<400: .redirection
      case 408: .indeterminate
      case 429: .tooManyRequests
      case 400..<500: .clientError
      default: .indeterminate
      }
  }
}
