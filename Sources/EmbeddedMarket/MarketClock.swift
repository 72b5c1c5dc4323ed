import Foundation
import Synchronization

/// The clock of a market: that of the machine, or one that a lesson sets to the same instant at each beginning.
final class MarketClock: Sendable {
  private let machine: @Sendable () -> Date
  private let start: Date?
  private let began: Mutex<Date>

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - start: The instant at which the clock begins now, or `nil` for the time of the machine.
  ///   - machine: The time of the machine.
  init(startingAt start: Date?, _ machine: @escaping @Sendable () -> Date) {
    (self.start, self.machine) = (start, machine)
    began = Mutex(machine())
  }

  func date() -> Date {
    guard let start else { return machine() }
    return start.addingTimeInterval(max(0, machine().timeIntervalSince(began.withLock { $0 })))
  }

  func now() -> MarketTime { MarketTime(date()) }

  /// Sets the clock back to its start.
  func restart() { began.withLock { $0 = machine() } }
}
