import Synchronization

/// A limit for the rate of calls: each takes a token, and tokens are added at a constant rate.
///
/// A call that finds no token waits for its own one, so that calls keep their order.
package final class TokenBucket: Sendable {
  private let interval: Duration
  private let capacity: Int
  /// The time at which the bucket was, or will be, full.
  private let full: Mutex<ContinuousClock.Instant>

  /// Creates a full bucket.
  ///
  /// - Parameters:
  ///   - rate: The tokens per second.
  ///   - capacity: The number of calls that may begin at once after a pause.
  package init(rate: Int, capacity: Int = 10) {
    interval = .seconds(1) / max(1, rate)
    self.capacity = capacity
    full = Mutex(.now)
  }

  /// Takes a token, waiting for it if necessary.
  ///
  /// - Throws: `CancellationError`.
  package func take() async throws {
    let now = ContinuousClock.now
    let delay = full.withLock { full in
      full = max(full, now) + interval
      return now.duration(to: full) - interval * capacity
    }
    if delay > .zero { try await Task.sleep(for: delay) }
  }
}
