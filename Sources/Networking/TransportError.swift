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
    case timedOut
    case connectionClosed
    /// The response is not HTTP; the message of the parser.
    case notHTTP(String)
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
    /// Another error; the message of the library.
    case other(String)
  }

  package var reason: Reason
  package var extent: RequestProgress

  package init(_ reason: Reason, extent: RequestProgress) {
    self.reason = reason
    self.extent = extent
  }

  /// False only if it is certain that no byte of the request was written.
  package var mayHaveBeenSent: Bool { extent != .none }
}
