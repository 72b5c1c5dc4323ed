import Foundation
import Networking
import Synchronization

/// A transport that responds to an equal request for a page of a list from memory for two seconds.
///
/// An agent asks for the next rows of a list right after the first ones; the pages between are then not read again. A
/// single product is always read.
struct RecentResponses: Transport {
  private static let lifetime = Duration.seconds(2)
  private static let capacity = 64
  /// The maximum size of a stored body in bytes.
  private static let maximumSize = 1 << 19

  private struct Key: Hashable {
    var request: Request
    var base: URL
  }

  private final class Store: Sendable {
    let responses = Mutex<[Key: (response: Response, time: ContinuousClock.Instant)]>([:])
  }

  private let transport: any Transport
  private let store = Store()
  private let now: @Sendable () -> ContinuousClock.Instant

  init(_ transport: any Transport, now: @escaping @Sendable () -> ContinuousClock.Instant) {
    self.transport = transport
    self.now = now
  }

  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    guard request.method == .get, !request.query.isEmpty else {
      return try await transport.send(request, to: base, with: options)
    }
    let key = Key(request: request, base: base)
    let now = now()
    let known = store.responses.withLock { responses in
      responses = responses.filter { $0.value.time.duration(to: now) < RecentResponses.lifetime }
      return responses[key]?.response
    }
    if let known { return known }
    let response = try await transport.send(request, to: base, with: options)
    if response.status == 200, response.body.count <= RecentResponses.maximumSize {
      store.responses.withLock { responses in
        if responses.count >= RecentResponses.capacity { responses = [:] }
        responses[key] = (response, now)
      }
    }
    return response
  }
}
