import Foundation
import Synchronization

/// A cache of the responses of one endpoint for ten minutes: the service's model is not updated more often, and every
/// request counts.
///
/// Older responses are stored for a day, to be shown with a mark if a new one is not available.
package final class ResponseCache<Answer: Sendable>: Sendable {
  /// A response and the time it was received.
  package struct Entry: Sendable {
    package var answer: Answer
    package var received: Date
  }

  private let stored = Mutex<[CacheKey: Entry]>([:])

  package init() {}

  /// Returns a cached response that is current.
  package func fresh(_ key: CacheKey, now: Date) -> Entry? {
    entry(key, now: now).flatMap { now.timeIntervalSince($0.received) < 600 ? $0 : nil }
  }

  /// Returns a cached response of up to a day.
  ///
  /// One from the future, after the clock was set back, is ignored.
  package func entry(_ key: CacheKey, now: Date) -> Entry? {
    stored.withLock { $0[key] }.flatMap { (0..<86_400).contains(now.timeIntervalSince($0.received)) ? $0 : nil }
  }

  /// Stores a response.
  ///
  /// At most 64 places are stored, the most recent ones.
  package func store(_ answer: Answer, for key: CacheKey, now: Date) {
    stored.withLock { stored in
      stored[key] = Entry(answer: answer, received: now)
      guard stored.count > 64, let oldest = stored.min(by: { $0.value.received < $1.value.received }) else { return }
      stored[oldest.key] = nil
    }
  }
}
