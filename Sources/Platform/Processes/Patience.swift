import Synchronization

/// One wait for what may come late; whatever else is missing after it is taken as gone.
package final class Patience: Sendable {
  private let isLeft = Mutex(true)

  package init() {}

  /// True once.
  package func take() -> Bool {
    isLeft.withLock { left in
      defer { left = false }
      return left
    }
  }
}
