/// The part of a request that was sent.
package enum RequestProgress: Hashable, Sendable {
  /// No byte was sent.
  case none
  /// Some bytes may have been sent, but the last byte of the body was never handed to the socket: the request is
  /// shorter than its `Content-Length` and cannot be processed.
  case partial
  /// The last byte was handed to the socket, or it is unknown whether it was.
  case complete
}
