import Foundation
import Synchronization

/// A transport that reports every exchange to an observer, attempt by attempt also where the retries happen below it.
package struct ObservedTransport: Transport {
  private let transport: any Transport
  private let observe: @Sendable (Exchange) -> Void

  /// - Parameter observe: called with each exchange when it has ended.
  package init(_ transport: any Transport, observe: @escaping @Sendable (Exchange) -> Void) {
    self.transport = transport
    self.observe = observe
  }

  /// - Throws: `TransportFailure` from the transport behind; any other error as one that may have been sent whole.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Reply {
    let clock = AttemptClock()
    let report: @Sendable (Result<Reply, TransportFailure>, Int, Duration) -> Void = { outcome, attempt, waited in
      // The exchange itself knows best how long it took: before it, a connection library may have been set up.
      let measured = (try? outcome.get())?.course?.phases.whole
      observe(
        Exchange(request: request, base: base, outcome: outcome, duration: measured ?? waited, attempt: attempt))
    }
    var options = options
    let outer = options.onRetry
    options.onRetry = { retry in
      outer?(retry)
      let (attempt, waited) = clock.nextAttempt(after: retry.delay)
      report(retry.outcome, attempt, waited)
    }
    do {
      let reply = try await transport.send(request, to: base, with: options)
      let (attempt, waited) = clock.now
      report(.success(reply), attempt, waited)
      return reply
    } catch {
      let failure =
        error as? TransportFailure ?? TransportFailure(.other(String(describing: error)), extent: .whole)
      let (attempt, waited) = clock.now
      report(.failure(failure), attempt, waited)
      throw failure
    }
  }

  /// Hands on how long the last answer took to be read.
  package func decoded(in time: Duration) { transport.decoded(in: time) }
}

/// Counts the attempts of one request and measures each, without the pauses between them.
private final class AttemptClock: Sendable {
  private let state = Mutex((attempt: 1, start: ContinuousClock.now))

  /// The number of the attempt under way, from 1, and how long it has taken.
  var now: (attempt: Int, waited: Duration) {
    state.withLock { ($0.attempt, max(.zero, $0.start.duration(to: .now))) }
  }

  /// Ends an attempt; the next one begins after the pause.
  func nextAttempt(after pause: Duration) -> (attempt: Int, waited: Duration) {
    state.withLock { state in
      let now = ContinuousClock.now
      defer { state = (state.attempt + 1, now + pause) }
      return (state.attempt, max(.zero, state.start.duration(to: now)))
    }
  }
}

/// One request that was sent and what became of it: for `trace`, `time` and logs.
package struct Exchange: Sendable {
  package var request: Request
  package var base: URL
  package var outcome: Result<Reply, TransportFailure>
  /// From the moment the exchange could begin to the last byte of the response.
  package var duration: Duration
  /// The number of the attempt of its request, from 1: a read may be sent again.
  package var attempt: Int

  package init(
    request: Request, base: URL, outcome: Result<Reply, TransportFailure>, duration: Duration, attempt: Int = 1
  ) {
    self.request = request
    self.base = base
    self.outcome = outcome
    self.duration = duration
    self.attempt = attempt
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
