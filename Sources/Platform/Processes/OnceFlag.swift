import Synchronization

/// A flag that can be taken once, for a wait that must happen only once: things still missing after it are considered
/// absent.
package final class OnceFlag: Sendable {
  private let isLeft = Mutex(true)

  package init() {}

  /// Returns true on the first call only.
  package func claim() -> Bool {
    isLeft.withLock { left in
      defer { left = false }
      return left
    }
  }
}
