import Catalog

/// The result of one attempt.
///
/// Only a complete response, or the proof that nothing was sent, is decisive.
package enum SendOutcome: Hashable, Sendable {
  /// A complete, valid 2xx response, with `nil` if it contains no product by its definition.
  case succeeded(Product?)
  /// A complete response that rejects the change: nothing was applied.
  case refused(Rejection)
  /// The product has changed in these fields since it was read, and the server rejected the change or it wasn't sent.
  case drifted([ProductField])
  /// Not a single byte was sent.
  ///
  /// The evidence contains no secrets.
  case unsent(Evidence)
  /// The request was aborted before its last bytes were sent, so it certainly wasn't applied.
  ///
  /// The evidence contains no secrets.
  case aborted(Evidence)
  /// Status 429: not processed.
  ///
  /// The duration is `nil` if the server didn't send one.
  case rateLimited(retryAfter: Duration?)
  /// A complete 2xx response to an edit or a delete that doesn't show the product.
  ///
  /// Reading decides, also where responses are trusted. The evidence contains no secrets.
  case accepted(Evidence)
  /// Anything else: timeout, reset, incomplete response, 5xx, 3xx, a 2xx to a create without a product, cancellation.
  ///
  /// `isAnswered` indicates that the server responded with something. The evidence contains no secrets.
  case unknown(Evidence, isAnswered: Bool = false)
}

/// The result of one attempt with its exchanges.
package struct SendResult: Hashable, Sendable {
  package var outcome: SendOutcome
  /// The exchanges in order, without secrets.
  package var exchanges: [StoredExchange]

  package init(_ attempt: SendOutcome, exchanges: [StoredExchange] = []) {
    self.outcome = attempt
    self.exchanges = exchanges
  }
}

/// A complete response that rejects a change, in a form that can be stored and described.
package struct Rejection: Hashable, Sendable {
  /// The meaning of the status for the write.
  package enum Kind: String, Hashable, Sendable {
    case notFound
    case wrongSecret
    case invalid
    /// Status 429: rejected for now and not processed.
    case busy
    case other
  }

  package var status: Int
  /// The server's message, which is untrusted and must be sanitized before it is shown.
  package var message: String?
  package var kind: Kind

  package init(status: Int, message: String? = nil, kind: Kind) {
    self.status = status
    self.message = message
    self.kind = kind
  }

  /// A Boolean value that indicates that every further write would be rejected too, so that a batch stops.
  var stopsBatch: Bool { status == 401 || status == 403 }
}
