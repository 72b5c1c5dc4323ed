import Foundation

/// The error for an exchange without a complete response: the reason, and how much of the request the server can have
/// seen.
package struct TransportError: Error, Hashable, Sendable {
  /// The cause of a failure.
  ///
  /// For the cases marked "never sent" no connection is opened.
  package enum Reason: Hashable, Sendable {
    case nameNotFound(host: String)
    case connectionRefused
    case tls(String)
    /// No response, or not the rest of one, within the time limits.
    case timedOut
    /// The connection ended before the response did.
    case connectionClosed
    /// The response is not HTTP; the message of the parser.
    case notHTTP(String)
    /// The header fields of the response are longer than the library accepts.
    case headerFieldsTooLong
    /// The response is complete, and its compressed content cannot be decoded.
    case undecodableContent(ContentCodingFault)
    /// The URL has `https`, but the server speaks plain `http`.
    case serverDoesNotSpeakTLS
    case tooLarge(limit: Int)
    case cancelled
    /// Plain `http` to another machine, which was not allowed; never sent.
    case insecureHost(host: String)
    /// The transport only reads, and this is another method; never sent.
    case methodNotAllowed(RequestMethod)
    /// The URL is not an `http` or `https` URL, or contains a user name; never sent.
    case invalidURL(String)
    /// The header field of this name contains a line break or another control character, or the name is not a token;
    /// never sent.
    case invalidHeader(String)
    /// The boundary of the multipart form occurs in one of its parts; never sent.
    case invalidMultipart
    /// The recording that is replayed does not contain this request; never sent.
    case notRecorded(String)
    /// Another error, as a text for users.
    case other(String)
  }

  package var reason: Reason
  package var extent: RequestProgress
  /// The status of the response whose head arrived, or `nil` if none did.
  package var status: Int?

  package init(_ reason: Reason, extent: RequestProgress, status: Int? = nil) {
    self.reason = reason
    self.extent = extent
    self.status = status
  }

  /// Indicates whether the server responded, with whatever.
  ///
  /// Otherwise it counts as unreachable.
  package var isAnswered: Bool {
    if status != nil { return true }
    switch reason {
    case .notHTTP, .headerFieldsTooLong, .undecodableContent, .tooLarge: return true
    case .nameNotFound, .connectionRefused, .tls, .timedOut, .connectionClosed, .serverDoesNotSpeakTLS, .cancelled,
      .insecureHost, .methodNotAllowed, .invalidURL, .invalidHeader, .invalidMultipart, .notRecorded, .other:
      return false
    }
  }

  /// False only if it is certain that no byte of the request was written.
  package var mayHaveBeenSent: Bool { extent != .none }
}
