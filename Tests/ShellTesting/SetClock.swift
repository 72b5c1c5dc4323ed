import Foundation
import Synchronization

/// A clock that stops until it is set.
package final class SetClock: Sendable {
  private let time = Mutex(Date(timeIntervalSince1970: 1_669_852_800))

  package init() {}

  package var now: Date { time.withLock { $0 } }
  package func set(_ now: Date) { time.withLock { $0 = now } }
}
