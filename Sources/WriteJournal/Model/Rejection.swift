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
