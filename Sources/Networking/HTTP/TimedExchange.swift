import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// An exchange on a dedicated connection: each phase can be measured (name lookup, connect, TLS, first byte, body), and
/// no earlier request was sent over it.
struct TimedExchange {
  private let message: HTTPClient.Request
  private let collector: ResponseAccumulator
  private let configuration: HTTPClient.Configuration
  private let loops: MultiThreadedEventLoopGroup
  private let lines: ConnectionTracker
  private let limit: Int

  init(
    _ message: HTTPClient.Request, collector: ResponseAccumulator, configuration: HTTPClient.Configuration,
    on loops: MultiThreadedEventLoopGroup,
    over lines: ConnectionTracker, limit: Int
  ) {
    self.message = message
    self.collector = collector
    self.configuration = configuration
    self.loops = loops
    self.lines = lines
    self.limit = limit
  }

  /// Tries the addresses of the host in turn, as long as no byte of the request can have been sent.
  func run(until end: NIODeadline?) async throws -> Response {
    collector.mark { marks, _ in marks.isTLS = message.scheme == "https" }
    // The proxy looks the name up.
    if configuration.proxy != nil { return try await run(at: message.host, until: end) }
    let addresses = try await HostResolver(host: message.host).addresses()
    collector.mark { $0.lookedUp = $1 }
    for address in addresses.dropLast() {
      do {
        return try await run(at: address, until: end)
      } catch let failure as TransportError {
        guard !failure.mayHaveBeenSent, failure.reason == .connectionRefused || failure.reason == .timedOut else {
          throw failure
        }
      }
    }
    return try await run(at: addresses.last ?? message.host, until: end)
  }

  private func run(at address: String, until end: NIODeadline?) async throws -> Response {
    var configuration = configuration
    if address != message.host { configuration.dnsOverride = [message.host: address] }
    configuration.http1_1ConnectionDebugInitializer = { [collector, lines] channel in
      TCPInfo.read(channel).flatMap { line in
        collector.mark {
          $0.connectionReady = $1
          $0.roundTrip = line?.roundTrip
        }
        return lines.install(channel)
      }
    }
    let client = HTTPClient(eventLoopGroupProvider: .shared(loops), configuration: configuration)
    collector.mark { $0.connecting = $0.connecting ?? $1 }
    do {
      let response = try await client.execute(message, collector, on: loops.next(), until: end, limit: limit)
      try? await client.shutdown()
      return response
    } catch {
      try? await client.shutdown()
      throw error
    }
  }
}

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

/// The kernel's information about a connection (`TCP_INFO`).
struct TCPInfo: Sendable {
  /// The smoothed round-trip time, or `nil` if the kernel does not report it.
  var roundTrip: Duration?
  /// The number of bytes that the peer has acknowledged since the connection was established; 0 if the kernel does not
  /// report it.
  var acknowledged: UInt64

  /// The storage of `struct tcp_info` from linux/tcp.h.
  ///
  /// The struct of the C library ends before the fields needed here.
  private struct RawTCPInfo {
    typealias Four = (UInt64, UInt64, UInt64, UInt64)
    var words: (Four, Four, Four, Four, Four)
  }

  /// Reads the information, or returns `nil` if the channel is not a socket of this system or is closed.
  static func read(_ channel: any Channel) -> EventLoopFuture<TCPInfo?> {
    guard let socket = channel as? any SocketOptionProvider else { return channel.eventLoop.makeSucceededFuture(nil) }
    let info: EventLoopFuture<RawTCPInfo> = socket.unsafeGetSocketOption(
      level: .tcp, name: .init(rawValue: CInt(TCP_INFO)))
    return info.map { info in
      withUnsafeBytes(of: info) { bytes in
        // Byte 68 is `tcpi_rtt` in microseconds, byte 120 `tcpi_bytes_acked`.
        let roundTrip = bytes.load(fromByteOffset: 68, as: UInt32.self)
        let acknowledged = bytes.load(fromByteOffset: 120, as: UInt64.self)
        return TCPInfo(
          roundTrip: roundTrip > 0 ? .microseconds(Int64(roundTrip)) : nil, acknowledged: acknowledged)
      }
    }.flatMapErrorThrowing { _ in nil }
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
