/// A failed attempt that will be followed by another one.
package struct Retry: Sendable {
  package var outcome: Result<Response, TransportError>
  /// The number of the failed attempt, from 1.
  package var number: Int
  /// The pause before the next attempt.
  package var delay: Duration

  package init(outcome: Result<Response, TransportError>, number: Int, delay: Duration) {
    self.outcome = outcome
    self.number = number
    self.delay = delay
  }
}
