import Synchronization

/// A counter from 1, for unique names that are the same in every run.
package final class Counter: Sendable {
  private let value = Mutex(0)

  package init() {}

  package func next() -> Int {
    value.withLock { value in
      value += 1
      return value
    }
  }
}
