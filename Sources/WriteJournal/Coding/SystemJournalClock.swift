import Catalog
import Foundation

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
