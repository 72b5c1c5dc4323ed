/// A retry that is about to be made, for whoever shows the waiting.
package struct Retry: Sendable {
  package enum Cause: Hashable, Sendable {
    case status(Int)
    case failure(TransportFailure.Reason)
  }

  package var request: Request
  /// 1 for the first retry.
  package var number: Int
  package var delay: Duration
  package var cause: Cause
}
