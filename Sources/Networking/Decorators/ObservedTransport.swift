import Foundation
import Synchronization

/// A transport that reports every exchange to its observers, each attempt separately, also if the retries happen in the
/// transport it wraps.
///
/// It is the only way to watch requests: the record of calls, the journal, `explain`, `trace` and `time` add observers.
package struct ObservedTransport: Transport {
  private let transport: any Transport
  private var willSend: [@Sendable () -> Void]
  private var observers: [@Sendable (Exchange) -> Void]

  /// Adds an observer to a transport.
  ///
  /// An observed transport gets another observer, which is called after the earlier ones.
  ///
  /// - Parameters:
  ///   - transport: The transport that sends.
  ///   - willSend: Called before each request.
  ///   - observe: Called with each exchange after it has ended.
  package init(
    _ transport: any Transport, willSend: (@Sendable () -> Void)? = nil,
    observe: @escaping @Sendable (Exchange) -> Void
  ) {
    let observed = transport as? ObservedTransport
    self.transport = observed?.transport ?? transport
    self.willSend = (observed?.willSend ?? []) + (willSend.map { [$0] } ?? [])
    observers = (observed?.observers ?? []) + [observe]
  }

  /// Sends the request and reports each attempt.
  ///
  /// - Throws: `TransportError`. Any other error of the wrapped transport is converted to one with extent `.complete`.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    for willSend in willSend { willSend() }
    let clock = AttemptClock()
    let report: @Sendable (Result<Response, TransportError>, Int, Duration) -> Void = { [observers] in
      let (outcome, attempt, waited) = ($0, $1, $2)
      // The exchange's own measurement is more exact: it excludes the setup of the connection library.
      let measured = (try? outcome.get())?.timing?.phases.total
      let exchange = Exchange(
        request: request, base: base, outcome: outcome, duration: measured ?? waited, attempt: attempt)
      for observe in observers { observe(exchange) }
    }
    var options = options
    let outer = options.onRetry
    options.onRetry = { retry in
      outer?(retry)
      let (attempt, waited) = clock.nextAttempt(after: retry.delay)
      report(retry.outcome, attempt, waited)
    }
    do {
      let response = try await transport.send(request, to: base, with: options)
      let (attempt, waited) = clock.now
      report(.success(response), attempt, waited)
      return response
    } catch {
      let failure =
        error as? TransportError ?? TransportError(.unexpected(error), extent: .complete)
      let (attempt, waited) = clock.now
      report(.failure(failure), attempt, waited)
      throw failure
    }
  }

  package func decoded(in time: Duration) { transport.decoded(in: time) }
}

/// Counts the attempts of one request and measures each, without the pauses between them.
private final class AttemptClock: Sendable {
  private let state = Mutex((attempt: 1, start: ContinuousClock.now))

  /// The number of the current attempt, from 1, and its duration so far.
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

/// A request that was sent, and its outcome, with their secrets: for observers while the program runs.
///
/// A `StoredExchange` is the form without secrets that is stored.
package struct Exchange: Sendable {
  package var request: Request
  package var base: URL
  package var outcome: Result<Response, TransportError>
  /// The time from the start of the exchange to the last byte of the response.
  package var duration: Duration
  /// The number of the attempt, from 1: a read may be sent again.
  package var attempt: Int

  package init(
    request: Request, base: URL, outcome: Result<Response, TransportError>, duration: Duration, attempt: Int = 1
  ) {
    self.request = request
    self.base = base
    self.outcome = outcome
    self.duration = duration
    self.attempt = attempt
  }

  /// A Boolean value that indicates that `PlainHTTPGuard` refused to send the request.
  package var wasBlocked: Bool {
    if case .failure(let failure) = outcome, case .insecureHost = failure.reason { true } else { false }
  }

  /// The masker for all texts of this exchange, including secrets that the server echoes and a response that is a
  /// secret.
  package var masker: SecretRedactor { SecretRedactor(secrets) }

  /// All secrets of this exchange: those of the request and one in the response.
  package var secrets: [NamedSecret] {
    guard let response = try? outcome.get(), response.isSuccess else { return request.secrets }
    return request.secrets + [ResponseSecret.extract(response, to: request)].compactMap { $0 }
  }
}

/// A transport that captures requests instead of sending them.
///
/// Writes are never sent.
package struct CapturingTransport: Transport {
  /// The error for a captured request, of which nothing was sent.
  package struct RequestNotSent: Error, Hashable, Sendable {
    package init() {}
  }

  /// The handling of requests that only read.
  package enum Reads: Hashable, Sendable {
    case captured
    /// Reads are sent, because later requests depend on their responses, and not captured.
    case sent
    /// Reads are sent and captured.
    case sentAndCaptured
  }

  private let transport: any Transport
  private let reads: Reads
  private let requests: CapturedRequests

  package init(_ transport: any Transport, reads: Reads, into requests: CapturedRequests) {
    self.transport = transport
    self.reads = reads
    self.requests = requests
  }

  /// Captures the request, and sends it if it is a read and reads are sent.
  ///
  /// - Throws: ``RequestNotSent`` if the request was not sent, or the error of the wrapped transport.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    let passes = request.method.isSafe && reads != .captured
    if !passes || reads == .sentAndCaptured { requests.append(request, base) }
    guard passes else { throw RequestNotSent() }
    return try await transport.send(request, to: base, with: options)
  }
}

/// The captured requests in order, each with the base URL it was for.
package final class CapturedRequests: Sendable {
  private let requests = Mutex<[(request: Request, base: URL)]>([])

  package init() {}

  package var all: [(request: Request, base: URL)] { requests.withLock { $0 } }

  func append(_ request: Request, _ base: URL) { requests.withLock { $0.append((request, base)) } }
}
