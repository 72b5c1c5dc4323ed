import Catalog

/// The result of one attempt.
///
/// Only a complete response, or the proof that nothing was sent, is decisive.
package enum SendOutcome: Hashable, Sendable {
  /// A complete, valid 2xx response, with `nil` if it contained no product.
  case succeeded(Product?)
  /// A complete response that rejects the change: nothing was applied.
  case refused(Rejection)
  /// Not a single byte was sent.
  ///
  /// The evidence contains no secrets.
  case unsent(String)
  /// The request was aborted before its last bytes were sent, so it certainly wasn't applied.
  ///
  /// The evidence contains no secrets.
  case aborted(String)
  /// Status 429: not processed.
  ///
  /// The duration is `nil` if the server didn't send one.
  case rateLimited(retryAfter: Duration?)
  /// Anything else: timeout, reset, incomplete response, 5xx, 3xx, invalid 2xx, cancellation.
  ///
  /// The evidence contains no secrets.
  case unknown(String)
}
