import Networking
import Synchronization

/// Remembers the status of the last answer that came through a transport.
final class StatusNote: Sendable {
  private let kept = Mutex<Int?>(nil)

  var status: Int? { kept.withLock { $0 } }

  func listening(to transport: any Transport) -> any Transport {
    ObservedTransport(transport) { exchange in
      guard case .success(let reply) = exchange.outcome else { return }
      self.kept.withLock { $0 = reply.status }
    }
  }
}
