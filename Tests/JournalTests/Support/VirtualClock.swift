import Catalog
import Synchronization

@testable import Journal

/// A clock whose time advances when a task sleeps.
final class VirtualClock: JournalClock {
  private let now = Mutex(Duration.zero)

  var elapsed: Duration { now.withLock { $0 } }

  func advance(by time: Duration) { now.withLock { $0 += time } }

  var wall: Timestamp { Timestamp(seconds: 1_700_000_000 + elapsed.components.seconds, isUTC: true) }

  func pause(_ duration: Duration) async throws {
    try Task.checkCancellation()
    now.withLock { $0 += duration }
    await Task.yield()
  }
}
