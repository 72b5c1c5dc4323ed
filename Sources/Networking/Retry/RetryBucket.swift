import Synchronization

/// Keeps an outage from becoming a storm: retries of the whole process are paid from one bucket, which clean answers fill.
///
/// 50 tokens, 5 a retry, 1 back for a clean answer: an outage costs ten more requests, then commands fail fast.
package final class RetryBucket: Sendable {
  private let tokens = Mutex(RetryBucket.capacity)

  package init() {}

  /// True when there was enough for one more retry; then it is paid.
  package func take() -> Bool {
    tokens.withLock {
      guard $0 >= RetryBucket.price else { return false }
      $0 -= RetryBucket.price
      return true
    }
  }

  package func refill() { tokens.withLock { $0 = min($0 + 1, RetryBucket.capacity) } }

  private static let capacity = 50
  private static let price = 5
}
