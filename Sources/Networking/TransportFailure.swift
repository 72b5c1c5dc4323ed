/// Why no complete answer came, and how much of the request the server can have seen.
package struct TransportFailure: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    case nameNotFound(host: String)
    case refused
    case tls(String)
    case timedOut
    case cutOff
    /// What came is no answer of HTTP; the parser's words.
    case notHTTP(String)
    /// `https` was asked where only `http` is spoken.
    case noTLS
    case tooLarge(limit: Int)
    case cancelled
    /// Plain `http` to another machine than this one; never sent.
    case insecure(host: String)
    /// The address is no `http` or `https` address, or holds a user name; never sent.
    case badAddress(String)
    /// A header of this name holds a line end or another control character, or is no name at all; never sent.
    case badHeader(String)
    /// The boundary of the form is in one of its parts; never sent.
    case badForm
    /// A replay was asked what its recording does not hold; nothing was sent.
    case notRecorded(String)
    /// Something else, in the library's words.
    case other(String)
  }

  package var reason: Reason
  package var extent: SentExtent

  package init(_ reason: Reason, extent: SentExtent) {
    self.reason = reason
    self.extent = extent
  }

  /// False only while it is known that no byte of the request was written.
  package var mayHaveBeenSent: Bool { extent != .nothing }
}

/// How much of a request left.
package enum SentExtent: Hashable, Sendable {
  /// Not one byte.
  case nothing
  /// Some bytes may have left; the last one of the body was never handed to the socket, so the request is short of its
  /// `Content-Length` and cannot be applied.
  case partial
  /// The last byte was handed to the socket, or nobody knows.
  case whole
}
