import Catalog
import Foundation
import Text

/// The time as the program sees it.
package struct ProgramClock: Sendable {
  package var now: @Sendable () -> Date = { Date() }
  /// Returns the time by which durations are measured.
  package var monotonicNow: @Sendable () -> ContinuousClock.Instant = { .now }
  /// Waits for a duration.
  ///
  /// Throws `CancellationError` if the task is cancelled.
  package var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  package init(
    now: @escaping @Sendable () -> Date = { Date() },
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.now = now
    self.pause = pause
  }

  package var timestamp: Timestamp { Timestamp(now()) }

  /// The current time in seconds since 1970, UTC, to which `today` and `30d` in conditions refer.
  package var seconds: Int64 { timestamp.seconds }
}
