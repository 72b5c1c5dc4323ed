import Catalog
import Foundation

/// A clock of the journal, with the time of day and a monotonic time.
///
/// Decisions use `monotonicNow`; `now` is only displayed.
package protocol JournalClock: Sendable {
  /// The monotonic time since a fixed instant of this process, including the time the system was suspended.
  var monotonicNow: Duration { get }
  /// The current time in UTC.
  var now: Timestamp { get }
  /// Waits for a duration.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  func sleep(_ duration: Duration) async throws
}

/// The system's clocks.
package struct SystemJournalClock: JournalClock {
  private let start = ContinuousClock.now

  package init() {}

  package var monotonicNow: Duration { ContinuousClock.now - start }

  package var now: Timestamp { Timestamp(Date()) }

  /// Waits for a duration.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  package func sleep(_ duration: Duration) async throws { try await ContinuousClock().sleep(for: duration) }
}
