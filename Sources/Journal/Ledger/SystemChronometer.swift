import Catalog
import Foundation

/// The machine's clocks.
package struct SystemChronometer: Chronometer {
  private let start = ContinuousClock.now

  package init() {}

  package var elapsed: Duration { ContinuousClock.now - start }

  package var wall: Timestamp {
    let seconds = Date().timeIntervalSince1970.rounded(.down)
    return Timestamp(seconds: Int64(exactly: seconds) ?? 0, isUTC: true)
  }

  package func pause(_ duration: Duration) async throws { try await ContinuousClock().sleep(for: duration) }
}
