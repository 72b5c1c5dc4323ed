/// Why no complete answer came, and whether the server can have seen the request.
package struct TransportFailure: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    case nameNotFound(host: String)
    case refused
    case tls(String)
    case timedOut
    case cutOff
    case tooLarge(limit: Int)
    case cancelled
    /// Something else, in the library's words.
    case other(String)
  }

  package var reason: Reason
  /// False only while it is known that no byte of the request was written.
  package var mayHaveBeenSent: Bool

  package init(_ reason: Reason, mayHaveBeenSent: Bool) {
    self.reason = reason
    self.mayHaveBeenSent = mayHaveBeenSent
  }
}
