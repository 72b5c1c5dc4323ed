import Foundation
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
        return RunningServer(address: address, server: server, group: group, task: task)
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
