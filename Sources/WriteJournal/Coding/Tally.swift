import Glibc
import Synchronization

/// A sum that is computed once and then updated.
final class Tally: Sendable {
  private let sum = Mutex<Int?>(nil)

  func value(counting: () -> Int) -> Int {
    sum.withLock { sum in
      let value = sum ?? counting()
      sum = value
      return value
    }
  }

  /// Discards the sum, so that it is computed again when needed.
  func invalidate() { sum.withLock { $0 = nil } }

  /// Updates the sum if it has been computed.
  func add(_ amount: Int) { sum.withLock { $0 = $0.map { $0 + amount } } }
}
