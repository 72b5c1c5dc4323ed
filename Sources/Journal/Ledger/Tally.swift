import Synchronization

/// A sum that is counted once and then kept up.
final class Tally: Sendable {
  private let sum = Mutex<Int?>(nil)

  func value(counting: () -> Int) -> Int {
    sum.withLock { sum in
      let value = sum ?? counting()
      sum = value
      return value
    }
  }

  /// Counts anew the next time it is asked for.
  func forget() { sum.withLock { $0 = nil } }

  /// Before the first count there is nothing to keep up.
  func add(_ amount: Int) { sum.withLock { $0 = $0.map { $0 + amount } } }
}
