import Catalog
import Foundation
import Journal
import Synchronization

/// Time that passes when somebody waits, and then at once: for servers whose answers do not depend on the hour, as those
/// that lie.
final class LeapingClock: JournalClock {
  private let age: Int64
  private let passed = Mutex(Duration.zero)

  /// - Parameter age: seconds that its day lies back.
  init(age: Int64 = 0) { self.age = age }

  var elapsed: Duration { passed.withLock { $0 } }

  var wall: Timestamp { Timestamp(seconds: Int64(Date().timeIntervalSince1970.rounded(.down)) - age, isUTC: true) }

  func pause(_ duration: Duration) async throws {
    try Task.checkCancellation()
    passed.withLock { $0 += duration }
  }
}
