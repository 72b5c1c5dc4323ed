import Catalog
import Synchronization

@testable import WriteJournal

/// A clock whose time advances when a task sleeps.
final class VirtualClock: JournalClock {
  private let time = Mutex(Duration.zero)
  private let sleep = Mutex(Duration.zero)

  var monotonicNow: Duration { time.withLock { $0 } }

  var suspended: Duration { sleep.withLock { $0 } }

  /// Advances the time as if the computer slept.
  func suspend(for time: Duration) {
    advance(by: time)
    sleep.withLock { $0 += time }
  }

  func advance(by time: Duration) { self.time.withLock { $0 += time } }

  var now: Timestamp { Timestamp(seconds: 1_700_000_000 + monotonicNow.components.seconds, isUTC: true) }

  func sleep(_ duration: Duration) async throws {
    try Task.checkCancellation()
    time.withLock { $0 += duration }
    await Task.yield()
  }
}
