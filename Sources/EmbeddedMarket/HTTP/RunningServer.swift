import Foundation
import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix

/// A listening server: its URL, its event loop, and its shutdown.
struct RunningServer: Sendable {
  let address: URL
  private let server: Server<GuardedHTTP1Channel>
  private let group: MultiThreadedEventLoopGroup
  private let task: Task<Void, any Error>
  private let connections: ConnectionTable

  /// The number of open connections.
  var connectionCount: Int { connections.count }

  /// A logger that discards everything, because the terminal belongs to the shell.
  private static let logger = Logger(label: "openmarket.market") { _ in SwiftLogNoOpLogHandler() }

  /// Starts listening and returns when connections are accepted.
  ///
  /// Throws `MarketStartError`.
  static func listen(
    _ options: MarketOptions, limits: ServerLimits, handler: RequestHandler
  ) async throws -> RunningServer {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let limits = limits.fitting(descriptors: DescriptorLimit.current)
    let connections = ConnectionTable(limits) { notice in
      options.notify?(notice)
      handler.log?.write(notice)
    }
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let server = Server(
      childChannelSetup: GuardedHTTP1Channel(
        limits: limits, handler: handler, connections: connections, tls: options.certificate?.context),
      configuration: ServerConfiguration(
        address: .hostname(options.host, port: options.port), backlog: 1024,
        availableConnectionsDelegate: .maximum(limits.connections, logger: RunningServer.logger)),
      onServerRunning: { channel in port.yield(channel.localAddress?.port ?? options.port) },
      eventLoopGroup: group, logger: RunningServer.logger)
    let task = Task {
      defer { port.finish() }
      try await server.run()
    }
    for await port in ports {
      if let address = URL(string: options.addresses.localURL(port: port)) {
        return RunningServer(
          address: address, server: server, group: group, task: task, connections: connections)
      }
    }
    task.cancel()
    let outcome = await task.result
    try? await group.shutdownGracefully()
    throw failure(outcome, options)
  }

  /// Waits for the end of the server.
  func waitUntilStopped() async { _ = await task.result }

  func cancel() { task.cancel() }

  /// Stops the server; requests in flight are served for up to two seconds.
  func stop() async {
    let deadline = Task {
      try await Task.sleep(for: .seconds(2))
      task.cancel()
    }
    try? await server.shutdownGracefully()
    task.cancel()
    deadline.cancel()
    await waitUntilStopped()
    try? await group.shutdownGracefully()
  }

  private static func failure(_ outcome: Result<Void, any Error>, _ options: MarketOptions) -> MarketStartError {
    switch outcome {
    case .failure(let error as IOError) where error.errnoCode == EADDRINUSE:
      .portInUse(host: options.host, port: options.port)
    case .failure(let error as IOError):
      .hostUnusable(host: options.host, port: options.port, reason: String(cString: strerror(error.errnoCode)))
    case .failure:
      .hostUnusable(host: options.host, port: options.port, reason: "the network cannot be used")
    case .success:
      .hostUnusable(host: options.host, port: options.port, reason: "it ended at once")
    }
  }
}

/// Limits for connections: time, memory and number.
struct ServerLimits: Sendable {
  /// The time from opening a connection to its first byte.
  var firstByteTime = TimeAmount.seconds(5)
  /// The time from the first byte of a connection to the end of its first head.
  var headerTimeout = TimeAmount.seconds(10)
  /// The time from the end of a head to the end of the body, and from the start of the response to its end.
  ///
  /// It restarts after every `timeoutResetBytes` of the body. The time that the server itself takes does not count.
  var requestTime = TimeAmount.seconds(60)
  /// The number of body bytes that take one `requestTime` at the slowest supported rate, about 1 kB/s.
  var timeoutResetBytes = 64 * 1024
  /// The time between a response and the end of the next head.
  var idleTimeout = TimeAmount.seconds(60)
  /// The maximum number of open connections, each of which takes about 25 kB.
  ///
  /// It is lower where the process may not open that many files (`RLIMIT_NOFILE`).
  var connections = 4096
  /// The number of connections of one address that may be open without having sent a byte.
  var silentConnectionsPerAddress = 256
  /// The number of connections from which on each address only has a share.
  var nearlyFull: Int { connections / 4 * 3 }
  /// The time for which a waiting connection is not closed in favor of others, because its request may be on the way.
  var graceTime = TimeAmount.milliseconds(500)
  /// The time without progress after which a body may be given up in favor of other connections.
  var stalledBodyTime = TimeAmount.seconds(5)
  /// The time in which a refusal of connections is reported once.
  var noticeInterval = TimeAmount.seconds(60)
  var headBytes = 16 * 1024
  var headFields = 100
  var pathBytes = 8 * 1024
  /// The maximum size of a body.
  ///
  /// Five pictures of 300 KB and their text are much smaller.
  var bodyBytes = 10 * 1024 * 1024
  /// The maximum size of all bodies that are being received or processed.
  var totalBodyBytes = 512 * 1024 * 1024
  /// The number of bytes that may arrive for each byte of a body in chunks, beyond `headBytes`.
  ///
  /// A chunk of one byte takes six.
  var chunkedBytes = 8
  /// The number of bytes that are read and discarded beyond `bodyBytes`, before the connection is closed.
  var maximumDrainedBytes = 64 * 1024 * 1024

  /// Returns the limits with no more connections than the process may open files, less those of the database and of
  /// the program.
  func fitting(descriptors: Int) -> ServerLimits {
    var limits = self
    limits.connections = min(connections, max(descriptors - 128, descriptors / 2))
    return limits
  }
}
