import Foundation
import Networking
import Synchronization

/// A transport that creates the HTTP client when the first request is sent.
///
/// Before that, a prompt needs neither a thread nor connections.
final class LazyTransport: Transport {
  private struct Opened {
    let httpTransport: HTTPTransport
    let retrying: RetryingTransport
  }

  private let opened = Mutex<Opened?>(nil)
  private let retries: Bool
  private let progress: @Sendable (_ sent: Int?, _ total: Int) -> Void

  /// Creates the transport.
  ///
  /// - Parameters:
  ///   - retries: Whether reads are retried after a temporary error.
  ///   - progress: Called with the number of sent bytes of a long body.
  init(retries: Bool, progress: @escaping @Sendable (_ sent: Int?, _ total: Int) -> Void) {
    self.retries = retries
    self.progress = progress
  }

  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    var options = options
    options.retriesReads = options.retriesReads && retries
    return try await open().retrying.send(request, to: base, with: options)
  }

  /// Closes the connections before the process ends.
  ///
  /// The transport can't be used afterwards.
  func shutDown() { opened.withLock { $0 }?.httpTransport.shutdownImmediately() }

  private func open() -> Opened {
    opened.withLock { opened in
      if let opened { return opened }
      let connections = HTTPTransport(version: Version.number, progress: progress)
      let new = Opened(httpTransport: connections, retrying: RetryingTransport(connections, bucket: RetryBucket()))
      opened = new
      return new
    }
  }
}
