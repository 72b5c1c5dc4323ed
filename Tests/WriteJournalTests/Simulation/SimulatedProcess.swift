import Catalog
import Synchronization

@testable import WriteJournal

/// One run of a shell, with the clock that it waits by.
final class SimulatedProcess: JournalClock {
  private let alive = Mutex(true)
  private let scheduler: SeededScheduler

  init(_ scheduler: SeededScheduler) { self.scheduler = scheduler }

  var isAlive: Bool { alive.withLock { $0 } }
  func kill() { alive.withLock { $0 = false } }

  var monotonicNow: Duration { scheduler.now }
  var uptime: Duration { scheduler.now }
  var now: Timestamp { Timestamp(seconds: 1_700_000_000 + scheduler.now.components.seconds, isUTC: true) }

  func sleep(_ duration: Duration) async throws {
    try Task.checkCancellation()
    await scheduler.sleep(duration)
    guard isAlive else { throw CancellationError() }
  }
}
