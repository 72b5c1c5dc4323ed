import Foundation
import Networking
import Synchronization

/// A transport that counts the requests by method.
package final class CountingTransport: Transport {
  /// The counts, which outlive the transport.
  package final class Counts: Sendable {
    private let methods = Mutex<[RequestMethod: Int]>([:])

    package init() {}

    package var total: Int { methods.withLock { $0.values.reduce(0, +) } }
    /// The methods other than those that read.
    package var writes: [RequestMethod] { methods.withLock { $0.keys.filter { $0 != .get && $0 != .head } } }
    package func add(_ method: RequestMethod) { methods.withLock { $0[method, default: 0] += 1 } }
    package func reset() { methods.withLock { $0 = [:] } }
  }

  private let inner: any Transport
  private let counts: Counts

  package init(_ inner: any Transport, _ counts: Counts) {
    self.inner = inner
    self.counts = counts
  }

  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    counts.add(request.method)
    return try await inner.send(request, to: base, with: options)
  }
}
