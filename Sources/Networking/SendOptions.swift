/// The options for sending one request.
package struct SendOptions: Sendable {
  package var limits: Timeouts
  /// The connection settings: proxy and trust roots.
  package var route: ConnectionSettings
  /// The time limit for the exchange, from name lookup to the last byte of the response, for requests that the user
  /// would rather do without than wait for.
  ///
  /// If `nil`, a request that makes progress may take any time.
  package var deadline: Duration?
  /// A hook that is awaited before the last bytes of the body are sent.
  ///
  /// Until it returns, the server has fewer bytes than `Content-Length` announces and cannot process the request. If it
  /// throws, the connection is closed and the error's `extent` is `.partial`. For a request without a body it is
  /// awaited before anything is sent, and if it throws, the extent is `.none`.
  package var beforeFinalChunk: (@Sendable () async throws -> Void)?
  /// Allows a read to be sent again after a transient failure.
  package var retriesReads = true
  /// Called with every attempt that is followed by another one, before the pause.
  ///
  /// A transport that observes adds itself here, so that it sees each attempt wherever the retries happen.
  package var onRetry: (@Sendable (Retry) -> Void)?
  /// Allows plain `http` to another machine.
  ///
  /// `PlainHTTPGuard` sets it for a request whose address it has checked.
  package var allowsPlainHTTP = false

  package init(
    limits: Timeouts = Timeouts(), route: ConnectionSettings = ConnectionSettings(), deadline: Duration? = nil,
    beforeFinalChunk: (@Sendable () async throws -> Void)? = nil
  ) {
    self.limits = limits
    self.route = route
    self.deadline = deadline
    self.beforeFinalChunk = beforeFinalChunk
  }
}
