import AsyncHTTPClient
import NIOCore
import NIOPosix

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
    _ message: HTTPClient.Request, _ collector: ResponseAccumulator, _ configuration: HTTPClient.Configuration,
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
      let reply = try await client.execute(message, collector, on: loops.next(), until: end, limit: limit)
      try? await client.shutdown()
      return reply
    } catch {
      try? await client.shutdown()
      throw error
    }
  }
}
