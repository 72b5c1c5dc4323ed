import Foundation
import Networking
import Synchronization

/// The way to the network, laid when the first request is sent: a prompt that has asked for nothing yet needs neither
/// thread nor connections.
final class LiveTransport: Transport {
  private struct Opened {
    let connections: HTTPTransport
    let retrying: RetryingTransport<ContinuousClock>
  }

  private let opened = Mutex<Opened?>(nil)
  private let progress: @Sendable (_ sent: Int?, _ total: Int) -> Void

  /// - Parameter progress: told how much of a long body has left.
  init(progress: @escaping @Sendable (_ sent: Int?, _ total: Int) -> Void) { self.progress = progress }

  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Reply {
    try await open().retrying.send(request, to: base, with: options)
  }

  /// Closes the connections; the transport is of no use afterwards.
  func shutdown() async {
    await opened.withLock { $0 }?.connections.shutdown()
  }

  private func open() -> Opened {
    opened.withLock { opened in
      if let opened { return opened }
      let connections = HTTPTransport(version: Version.text, progress: progress)
      let new = Opened(connections: connections, retrying: RetryingTransport(connections, bucket: RetryBucket()))
      opened = new
      return new
    }
  }
}
