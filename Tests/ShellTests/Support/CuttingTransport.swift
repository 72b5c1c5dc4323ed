import Foundation
import Networking
import Synchronization

/// A transport that loses the response to the first create, which the server has applied.
final class CuttingTransport: Transport {
  private let inner: any Transport
  private let creates = Mutex(0)

  init(inner: any Transport) { self.inner = inner }

  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    let reply = try await inner.send(request, to: base, with: options)
    guard request.method == .post,
      creates.withLock({
        $0 += 1; return $0 == 1
      })
    else { return reply }
    throw TransportError(.connectionClosed, extent: .complete)
  }
}
