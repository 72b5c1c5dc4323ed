import Foundation
import Synchronization

/// The durations of the phases of one exchange.
///
/// Their sum is the total.
package struct Phases: Hashable, Sendable {
  /// The time until a connection was available, without the parts in `dns`, `connect` and `tls`.
  package var blocked: Duration
  /// The name lookup; `nil` if not measured separately, zero for an IP literal.
  package var dns: Duration?
  /// The TCP handshake; `nil` if not measured separately.
  package var connect: Duration?
  /// The TLS handshake; `nil` for plain `http`, or if not measured separately.
  package var tls: Duration?
  /// The time to write the request.
  package var send: Duration
  /// The time from the last byte of the request to the first byte of the response.
  package var wait: Duration
  /// The time from the first byte of the response to the last.
  package var receive: Duration

  package init(
    blocked: Duration = .zero, dns: Duration? = nil, connect: Duration? = nil, tls: Duration? = nil,
    send: Duration = .zero, wait: Duration = .zero, receive: Duration = .zero
  ) {
    self.blocked = blocked
    self.dns = dns
    self.connect = connect
    self.tls = tls
    self.send = send
    self.wait = wait
    self.receive = receive
  }

  package var total: Duration {
    blocked + (dns ?? .zero) + (connect ?? .zero) + (tls ?? .zero) + send + wait + receive
  }
}

/// The instants at which the phases of an exchange ended, recorded as they occur.
struct ExchangeTimestamps: Sendable {
  typealias Instant = ContinuousClock.Instant

  let start: Instant
  var lookedUp: Instant?
  /// When the first connection was begun, its client being there.
  var connecting: Instant?
  var connectionReady: Instant?
  /// The kernel's round-trip time, which separates the TCP handshake from the TLS handshake of the same connection.
  var roundTrip: Duration?
  var isTLS = false
  var headSent: Instant?
  var sent: Instant?
  var headReceived: Instant?

  init(start: Instant) { self.start = start }

  func phases(until end: Instant) -> Phases {
    let head = headSent ?? end
    let out = sent ?? head
    let back = headReceived ?? end
    var phases = Phases(
      blocked: start.duration(to: head), send: head.duration(to: out), wait: out.duration(to: back),
      receive: back.duration(to: end))
    guard let lookedUp, let connectionReady else { return phases }
    let begun = connecting ?? lookedUp
    let whole = begun.duration(to: connectionReady)
    let connect = isTLS ? min(roundTrip ?? whole, whole) : whole
    phases.dns = start.duration(to: lookedUp)
    phases.connect = connect
    phases.tls = isTLS ? whole - connect : nil
    phases.blocked = lookedUp.duration(to: begun) + connectionReady.duration(to: head)
    return phases
  }
}

/// A transport that records the phases of every exchange, each on a dedicated connection, and the decoding time.
package struct TimedTransport: Transport {
  private let transport: any Transport
  private let log: TimingLog

  package init(_ transport: any Transport, into log: TimingLog) {
    self.transport = ObservedTransport(transport) { log.note($0) }
    self.log = log
  }

  /// Sends the request on a dedicated connection, so that every phase can be measured.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    var request = request
    request.recordsPhases = true
    return try await transport.send(request, to: base, with: options)
  }

  /// Adds to the recorded decoding time.
  package func decoded(in time: Duration) { log.note(decoding: time) }
}

/// The exchanges of one command in the order they ended, and the time spent on decoding their responses.
package final class TimingLog: Sendable {
  private struct State: Sendable {
    var exchanges: [Exchange] = []
    var decoding = Duration.zero
  }

  private let state = Mutex(State())

  package init() {}

  package var exchanges: [Exchange] { state.withLock { $0.exchanges } }
  package var decoding: Duration { state.withLock { $0.decoding } }

  func note(_ exchange: Exchange) { state.withLock { $0.exchanges.append(exchange) } }
  func note(decoding time: Duration) { state.withLock { $0.decoding += time } }
}
