import Foundation
import Synchronization

/// Writes requests down instead of sending them; no write ever passes.
package struct HoldingTransport: Transport {
  /// Thrown for a request that was held: nothing of it was sent.
  package struct Held: Error, Hashable, Sendable {
    package init() {}
  }

  /// What becomes of requests that only read.
  package enum Reads: Hashable, Sendable {
    case held
    /// Sent, because what follows depends on their answers; they are not written down.
    case sent
    /// Sent and written down.
    case sentAndKept
  }

  private let transport: any Transport
  private let reads: Reads
  private let held: HeldRequests

  package init(_ transport: any Transport, reads: Reads, into held: HeldRequests) {
    self.transport = transport
    self.reads = reads
    self.held = held
  }

  /// Writes the request down, and sends it where it only reads and reads are wanted.
  ///
  /// - Throws: `Held` for what was written down and not sent; else what the transport behind throws.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Reply {
    let passes = request.method.isRead && reads != .held
    if !passes || reads == .sentAndKept { held.hold(request, base) }
    guard passes else { throw Held() }
    return try await transport.send(request, to: base, with: options)
  }
}

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
