import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix

/// An exchange over a connection of its own: each phase can be measured (name lookup, connect, TLS, first byte, body), and no
/// earlier request was sent over it.
struct DedicatedConnection {
  private let message: HTTPClient.Request
  private let collector: ResponseAccumulator
  private let configuration: HTTPClient.Configuration
  private let loops: MultiThreadedEventLoopGroup
  private let tracker: ConnectionTracker
  private let limit: Int

  init(
    _ message: HTTPClient.Request, collector: ResponseAccumulator, configuration: HTTPClient.Configuration,
    on loops: MultiThreadedEventLoopGroup, over tracker: ConnectionTracker, limit: Int
  ) {
    self.message = message
    self.collector = collector
    self.configuration = configuration
    self.loops = loops
    self.tracker = tracker
    self.limit = limit
  }

  /// Sends the request, and returns the response.
  ///
  /// The addresses of the host are tried in turn, as long as no byte of the request can have been sent.
  ///
  /// - Throws: `TransportError`.
  func execute(until end: NIODeadline?) async throws -> Response {
    collector.mark { marks, _ in marks.isTLS = message.scheme == "https" }
    // The proxy looks the name up.
    if configuration.proxy != nil { return try await execute(at: message.host, until: end) }
    let addresses = try await HostResolver(host: message.host).addresses()
    collector.mark { $0.lookedUp = $1 }
    for address in addresses.dropLast() {
      do {
        return try await execute(at: address, until: end)
      } catch let failure as TransportError {
        guard !failure.mayHaveBeenSent, failure.reason == .connectionRefused || failure.reason == .timedOut else {
          throw failure
        }
      }
    }
    return try await execute(at: addresses.last ?? message.host, until: end)
  }

  private func execute(at address: String, until end: NIODeadline?) async throws -> Response {
    var configuration = configuration
    if address != message.host { configuration.dnsOverride = [message.host: address] }
    configuration.http1_1ConnectionDebugInitializer = { [collector, tracker] channel in
      TCPInfo.read(channel).flatMap { line in
        collector.mark {
          $0.connectionReady = $1
          $0.roundTrip = line?.roundTrip
        }
        return tracker.install(channel)
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
