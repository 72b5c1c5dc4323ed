import Foundation
import Testing

/// Waits that come to an end: what never comes fails the test with its name, and holds up no run.
package enum Waiting {
  /// What was waited for never came.
  package struct NeverCame: Error, CustomStringConvertible {
    package let description: String
  }

  /// Far beyond what anything takes, however busy the machine.
  package static let longest = Duration.seconds(180)

  /// Returns once it is so, and gives way meanwhile.
  ///
  /// - Throws: ``NeverCame``, what `isSo` throws, and `CancellationError` where the test has been given up.
  package static func until(
    _ what: String, isolation: isolated (any Actor)? = #isolation, _ isSo: () async throws -> Bool
  ) async throws {
    let end = ContinuousClock.now + longest
    while try await !isSo() {
      guard ContinuousClock.now < end else { throw NeverCame(description: "\(what) never came") }
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  /// The same for a test that has a thread of its own: blocks it.
  package static func blocking(_ what: String, _ isSo: () throws -> Bool) throws {
    let end = ContinuousClock.now + longest
    // In microseconds: what comes at once is seen at once, and a long wait costs little.
    var pause: UInt32 = 1_000
    while try !isSo() {
      guard ContinuousClock.now < end else { throw NeverCame(description: "\(what) never came") }
      usleep(pause)
      pause = min(pause + pause / 4, 20_000)
    }
  }
}

extension Trial {
  /// The limit of every suite that waits for servers, programs or terminals. A test that waits for its place counts
  /// that as well, so the limit is that of a whole run, and not of one test.
  package static let limit: TimeLimitTrait.Duration = .minutes(isLong ? 600 : 20)
}
