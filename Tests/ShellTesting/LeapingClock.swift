import Catalog
import Synchronization
import WriteJournal

/// A clock whose time advances without waiting when a task sleeps, for servers that don't depend on the time.
package final class LeapingClock: JournalClock {
  private let age: Int64
  /// The only time that it shows, in seconds since 1970.
  private let fixed: Int64
  private let passed = Mutex(Duration.zero)

  /// Creates a clock that is `age` seconds in the past.
  package init(age: Int64 = 0, at fixed: Int64 = 1_669_852_800) {
    self.age = age
    self.fixed = fixed
  }

  package var monotonicNow: Duration { passed.withLock { $0 } }

  package var now: Timestamp { Timestamp(seconds: fixed - age, isUTC: true) }

  package func sleep(_ duration: Duration) async throws {
    try Task.checkCancellation()
    passed.withLock { $0 += duration }
  }
}
