import Synchronization

/// A token bucket that limits retries across the process, so that an outage does not multiply the load.
///
/// It holds 50 tokens. A retry costs 5, and a response that needed no retry returns 1: an outage causes ten more
/// requests, then commands fail fast.
package final class RetryBucket: Sendable {
  private let tokens = Mutex(RetryBucket.capacity)

  package init() {}

  /// Takes the tokens for one retry.
  ///
  /// Returns false, and takes none, if there are too few.
  package func tryConsume() -> Bool {
    tokens.withLock {
      guard $0 >= RetryBucket.cost else { return false }
      $0 -= RetryBucket.cost
      return true
    }
  }

  /// Returns one token, for a response that needed no retry.
  package func deposit() { tokens.withLock { $0 = min($0 + 1, RetryBucket.capacity) } }

  private static let capacity = 50
  private static let cost = 5
}
