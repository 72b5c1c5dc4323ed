import Foundation
import Testing

/// Waits with a limit: a condition that is never met fails the test with its name instead of blocking the run.
package enum Waiting {
  /// The error for a condition that was not met.
  package struct NeverCame: Error, CustomStringConvertible {
    package let description: String
  }

  /// The limit, far beyond what anything takes on a busy machine.
  package static let timeLimit = Duration.seconds(180)

  /// Waits until `isSo` returns true, suspending in between.
  ///
  /// Throws ``NeverCame``, the errors of `isSo`, and `CancellationError` if the test was given up.
  package static func until(
    _ what: String, isolation: isolated (any Actor)? = #isolation, _ isSo: () async throws -> Bool
  ) async throws {
    let end = ContinuousClock.now + timeLimit
    var tries = 0
    while try await !isSo() {
      guard ContinuousClock.now < end else { throw NeverCame(description: "\(what) never came") }
      try Task.checkCancellation()
      tries += 1
      // A long wait leaves the core to what is waited for.
      if tries < 100 { await Task.yield() } else { try await Task.sleep(for: .milliseconds(2)) }
    }
  }

  /// Waits until `isSo` returns true, blocking the thread of the test.
  package static func blocking(_ what: String, _ isSo: () throws -> Bool) throws {
    let end = ContinuousClock.now + timeLimit
    // In microseconds: short at first, and longer during a long wait, which then costs little.
    var pause: UInt32 = 1_000
    while try !isSo() {
      guard ContinuousClock.now < end else { throw NeverCame(description: "\(what) never came") }
      usleep(pause)
      pause = min(pause + pause / 4, 20_000)
    }
  }
}

extension Trial {
  /// The time limit of every suite that waits for servers, programs or terminals.
  ///
  /// Waiting for other tests counts too, so the limit is that of a complete run, not of a single test.
  package static let limit: TimeLimitTrait.Duration = .minutes(isLong ? 600 : 20)
}
