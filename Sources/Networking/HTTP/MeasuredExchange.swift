import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// One exchange on a connection of its own, every phase of it measured: name, connect, TLS, first byte, body.
struct MeasuredExchange {
  private let message: HTTPClient.Request
  private let collector: ReplyCollector
  private let configuration: HTTPClient.Configuration
  private let loops: MultiThreadedEventLoopGroup
  private let lines: Lines
  private let limit: Int

  init(
    _ message: HTTPClient.Request, _ collector: ReplyCollector, _ configuration: HTTPClient.Configuration,
    on loops: MultiThreadedEventLoopGroup,
    over lines: Lines, limit: Int
  ) {
    self.message = message
    self.collector = collector
    self.configuration = configuration
    self.loops = loops
    self.lines = lines
    self.limit = limit
  }

  /// Tries the addresses of the name in turn, going on only while nothing can have been sent.
  func run(until end: NIODeadline?) async throws -> Reply {
    collector.mark { $0.isTLS = message.scheme == "https" }
    // The proxy looks the name up.
    if configuration.proxy != nil { return try await run(at: message.host, until: end) }
    let addresses = try await NameLookup(host: message.host).addresses()
    collector.mark { $0.lookedUp = .now }
    for address in addresses.dropLast() {
      do {
        return try await run(at: address, until: end)
      } catch let failure as TransportFailure {
        guard !failure.mayHaveBeenSent, failure.reason == .refused || failure.reason == .timedOut else { throw failure }
      }
    }
    return try await run(at: addresses.last ?? message.host, until: end)
  }

  private func run(at address: String, until end: NIODeadline?) async throws -> Reply {
    var configuration = configuration
    if address != message.host { configuration.dnsOverride = [message.host: address] }
    configuration.http1_1ConnectionDebugInitializer = { [collector, lines] channel in
      LineState.of(channel).flatMap { line in
        collector.mark {
          $0.connectionReady = .now
          $0.roundTrip = line?.roundTrip
        }
        return lines.watch(channel)
      }
    }
    let client = HTTPClient(eventLoopGroupProvider: .shared(loops), configuration: configuration)
    do {
      let reply = try await client.exchange(message, collector, on: loops.next(), until: end, limit: limit)
      try? await client.shutdown()
      return reply
    } catch {
      try? await client.shutdown()
      throw error
    }
  }
}

/// The instants of one exchange, as they are met.
struct TimingMarks: Sendable {
  typealias Instant = ContinuousClock.Instant

  let start: Instant
  var lookedUp: Instant?
  var connectionReady: Instant?
  /// The kernel's round trip of the handshake: TCP and TLS of one connection are told apart by it.
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
    let connecting = lookedUp.duration(to: connectionReady)
    let connect = isTLS ? min(roundTrip ?? connecting, connecting) : connecting
    phases.lookup = start.duration(to: lookedUp)
    phases.connect = connect
    phases.tls = isTLS ? connecting - connect : nil
    phases.blocked = connectionReady.duration(to: head)
    return phases
  }
}

/// Where the time of one exchange went; together the phases are the whole of it.
package struct Phases: Hashable, Sendable {
  /// Until a connection was there; with `lookup`, `connect` or `tls` told, what was none of them.
  package var blocked: Duration
  /// Finding the address of the name; nil where it is not told apart, zero for an address in figures.
  package var lookup: Duration?
  /// Until the server took the connection; nil where it is not told apart.
  package var connect: Duration?
  /// Until the connection was safe; nil for plain `http`, and where it is not told apart.
  package var tls: Duration?
  /// Writing the request.
  package var send: Duration
  /// From the last byte of the request to the first of the answer.
  package var wait: Duration
  /// From the first byte of the answer to the last.
  package var receive: Duration

  package init(
    blocked: Duration = .zero, lookup: Duration? = nil, connect: Duration? = nil, tls: Duration? = nil,
    send: Duration = .zero, wait: Duration = .zero, receive: Duration = .zero
  ) {
    self.blocked = blocked
    self.lookup = lookup
    self.connect = connect
    self.tls = tls
    self.send = send
    self.wait = wait
    self.receive = receive
  }

  package var whole: Duration {
    blocked + (lookup ?? .zero) + (connect ?? .zero) + (tls ?? .zero) + send + wait + receive
  }
}

/// The exchanges of one command in the order they ended, with the time their answers took to be read.
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

/// Measures every exchange phase by phase, each on a connection of its own, and how long the answers took to be read.
package struct TimedTransport: Transport {
  private let transport: any Transport
  private let log: TimingLog

  package init(_ transport: any Transport, into log: TimingLog) {
    self.transport = transport
    self.log = log
  }

  /// Sends on a connection of its own, so that every phase is there to be measured.
  ///
  /// - Throws: what the transport behind throws.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Reply {
    var request = request
    request.isMeasured = true
    return try await ObservedTransport(transport) { log.note($0) }.send(request, to: base, with: options)
  }

  /// Adds to the time that answers took to be read.
  package func decoded(in time: Duration) { log.note(decoding: time) }
}
