import Catalog

/// The result of one attempt.
///
/// Only a complete response, or the proof that nothing was sent, is decisive.
package enum SendOutcome: Hashable, Sendable {
  /// A complete, valid 2xx response, with `nil` if it contains no product by its definition.
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
  /// A complete 2xx response to an edit or a delete that doesn't show the product.
  ///
  /// Reading decides, also where responses are trusted. The evidence contains no secrets.
  case accepted(String)
  /// Anything else: timeout, reset, incomplete response, 5xx, 3xx, a 2xx to a create without a product, cancellation.
  ///
  /// `isAnswered` indicates that the server responded with something. The evidence contains no secrets.
  case unknown(String, isAnswered: Bool = false)
}
