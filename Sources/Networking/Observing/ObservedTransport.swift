import Foundation
import Synchronization

/// Tells an observer of every exchange, attempt by attempt when it stands below the retries.
package struct ObservedTransport: Transport {
  private let transport: any Transport
  private let observe: @Sendable (Exchange) -> Void

  /// - Parameter observe: told what became of each exchange.
  package init(_ transport: any Transport, observe: @escaping @Sendable (Exchange) -> Void) {
    self.transport = transport
    self.observe = observe
  }

  /// - Throws: `TransportFailure` from the transport behind; any other error as one that may have been sent whole.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Reply {
    let start = ContinuousClock.now
    func tell(_ outcome: Result<Reply, TransportFailure>) {
      observe(Exchange(request: request, base: base, outcome: outcome, duration: start.duration(to: .now)))
    }
    do {
      let reply = try await transport.send(request, to: base, with: options)
      tell(.success(reply))
      return reply
    } catch {
      let failure =
        error as? TransportFailure ?? TransportFailure(.other(String(describing: error)), extent: .whole)
      tell(.failure(failure))
      throw failure
    }
  }

  /// Hands on how long the last answer took to be read.
  package func decoded(in time: Duration) { transport.decoded(in: time) }
}

/// One request that was sent and what became of it: for `trace`, `time` and logs.
package struct Exchange: Sendable {
  package var request: Request
  package var base: URL
  package var outcome: Result<Reply, TransportFailure>
  package var duration: Duration

  package init(request: Request, base: URL, outcome: Result<Reply, TransportFailure>, duration: Duration) {
    self.request = request
    self.base = base
    self.outcome = outcome
    self.duration = duration
  }

  /// Hides the request's secrets in any text that came of this exchange, the server's echo and an answer that is a key
  /// included.
  package var masker: Masker { Masker(secrets) }

  /// Every secret of this exchange.
  package var secrets: [NamedSecret] {
    guard let reply = try? outcome.get(), reply.isSuccess else { return request.secrets }
    return request.secrets + [AnsweredSecret.of(reply, to: request)].compactMap { $0 }
  }
}

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
