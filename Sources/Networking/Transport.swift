import Foundation

/// The seam: sends one request once and brings the whole answer, or throws `TransportFailure`.
///
/// Real ones talk HTTP; tests put a recorder, a fault or an in-process server here.
package protocol Transport: Sendable {
  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Reply
}

/// How one request is sent: how long it is waited for, and what happens before its last byte leaves.
package struct SendOptions: Sendable {
  package var limits: TimeLimits
  /// The way to the server; the straight one where nothing is told.
  package var route: Route
  /// A total limit, from resolving the name to the last byte of the answer: only for what somebody would rather do
  /// without than wait for. Nil lets a request that makes progress take as long as it needs.
  package var deadline: Duration?
  /// Awaited when all of the body but its last bytes has been given to the system, and before the rest goes. When it
  /// throws, the connection is closed and the failure's `extent` is `.partial`: the server cannot apply a body that is
  /// short of its length. For a request without a body it is awaited before anything is sent, and the extent is
  /// `.nothing` when it throws.
  package var beforeLastByte: (@Sendable () async throws -> Void)?

  package init(
    limits: TimeLimits = TimeLimits(), route: Route = Route(), deadline: Duration? = nil,
    beforeLastByte: (@Sendable () async throws -> Void)? = nil
  ) {
    self.limits = limits
    self.route = route
    self.deadline = deadline
    self.beforeLastByte = beforeLastByte
  }
}
