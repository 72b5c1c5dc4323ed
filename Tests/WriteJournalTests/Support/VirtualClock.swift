import Catalog
import Synchronization

@testable import WriteJournal

/// A clock whose time advances when a task sleeps.
final class VirtualClock: JournalClock {
  private let time = Mutex(Duration.zero)
  private let sleep = Mutex(Duration.zero)
  private let error = Mutex(Int64(0))

  var monotonicNow: Duration { time.withLock { $0 } }

  var uptime: Duration { monotonicNow }

  var suspended: Duration { sleep.withLock { $0 } }

  /// Advances the time as if the computer slept.
  func suspend(for time: Duration) {
    advance(by: time)
    sleep.withLock { $0 += time }
  }

  func advance(by time: Duration) { self.time.withLock { $0 += time } }

  /// Sets the time of day forward, or back by a negative number of seconds.
  func setTimeOfDay(by seconds: Int64) { error.withLock { $0 += seconds } }

  var now: Timestamp {
    Timestamp(seconds: 1_700_000_000 + monotonicNow.components.seconds + error.withLock { $0 }, isUTC: true)
  }

  func sleep(_ duration: Duration) async throws {
    try Task.checkCancellation()
    time.withLock { $0 += duration }
    await Task.yield()
  }
}
