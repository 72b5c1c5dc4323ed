import Foundation
import Synchronization

/// Requests that were meant to be sent and were written down instead, in their order.
package final class HeldRequests: Sendable {
  /// One of them and where it would have gone.
  package struct Held: Hashable, Sendable {
    package var request: Request
    package var base: URL
  }

  private let held = Mutex<[Held]>([])

  package init() {}

  package var all: [Held] { held.withLock { $0 } }

  func hold(_ request: Request, _ base: URL) { held.withLock { $0.append(Held(request: request, base: base)) } }
}
