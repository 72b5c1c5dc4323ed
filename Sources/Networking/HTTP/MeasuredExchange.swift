import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix

/// One exchange on a connection of its own, every phase of it measured: name, connect, TLS, first byte, body.
struct MeasuredExchange {
  private let message: HTTPClient.Request
  private let loops: MultiThreadedEventLoopGroup
  private let limit: Int

  init(_ message: HTTPClient.Request, on loops: MultiThreadedEventLoopGroup, limit: Int) {
    self.message = message
    self.loops = loops
    self.limit = limit
  }

  /// Tries the addresses of the name in turn, going on only while nothing can have been sent.
  func run(until end: NIODeadline) async throws -> Reply {
    let started = Date()
    var marks = Marks(start: .now)
    marks.isTLS = message.scheme == "https"
    let addresses = try await NameLookup(host: message.host).addresses()
    marks.lookedUp = .now
    for address in addresses.dropLast() {
      do {
        return try await run(at: address, marks, started, until: end)
      } catch let failure as TransportFailure {
        guard !failure.mayHaveBeenSent, failure.reason == .refused || failure.reason == .timedOut else { throw failure }
      }
    }
    return try await run(at: addresses.last ?? message.host, marks, started, until: end)
  }

  private func run(at address: String, _ marks: Marks, _ started: Date, until end: NIODeadline) async throws -> Reply {
    let collector = ReplyCollector(limit: limit, marks: marks, started: started)
    var configuration = HTTPClient.Configuration.ours
    if address != message.host { configuration.dnsOverride = [message.host: address] }
    configuration.http1_1ConnectionDebugInitializer = { channel in
      MeasuredExchange.roundTrip(of: channel).map { collector.connectionIsReady(roundTrip: $0) }
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

  /// What the kernel measured while the connection was made; nil where it does not tell.
  private static func roundTrip(of channel: any Channel) -> EventLoopFuture<Duration?> {
    guard let socket = channel as? any SocketOptionProvider else { return channel.eventLoop.makeSucceededFuture(nil) }
    let told: EventLoopFuture<tcp_info> = socket.unsafeGetSocketOption(
      level: .tcp, name: .init(rawValue: CInt(TCP_INFO)))
    return told.map { $0.tcpi_rtt > 0 ? .microseconds(Int64($0.tcpi_rtt)) : nil }
      .flatMapErrorThrowing { _ in nil }
  }
}
