import Foundation
import Synchronization

/// The captured requests, in order.
package final class CapturedRequests: Sendable {
  /// A captured request and the base URL it was for.
  package struct Held: Hashable, Sendable {
    package var request: Request
    package var base: URL
  }

  private let held = Mutex<[Held]>([])

  package init() {}

  package var all: [Held] { held.withLock { $0 } }

  func append(_ request: Request, _ base: URL) { held.withLock { $0.append(Held(request: request, base: base)) } }
}
