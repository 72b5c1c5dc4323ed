import Networking
import Synchronization

/// Records the status of the last response and the last rejected exchange of a transport.
final class LastResponseObserver: Sendable {
  private let stored = Mutex<(status: Int?, refused: Exchange?)>((nil, nil))

  var status: Int? { stored.withLock { $0.status } }
  var refused: Exchange? { stored.withLock { $0.refused } }

  func listening(to transport: any Transport) -> any Transport {
    ObservedTransport(transport) { exchange in
      guard case .success(let reply) = exchange.outcome else { return }
      self.stored.withLock { stored in
        stored.status = reply.status
        if reply.status >= 400 { stored.refused = exchange }
      }
    }
  }
}
