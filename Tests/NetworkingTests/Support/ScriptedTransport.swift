import Foundation
import Networking
import Synchronization

/// A transport that responds from a list and records the deadlines it was given.
final class ScriptedTransport: Transport {
  private let script: Mutex<[Result<Response, TransportError>]>
  private let given = Mutex<[Duration?]>([])
  var deadlines: [Duration?] { given.withLock { $0 } }

  init(_ script: [Result<Response, TransportError>]) { self.script = Mutex(script) }

  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    given.withLock { $0.append(options.deadline) }
    return try script.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }.get()
  }
}

/// A clock that advances immediately when it is asked to sleep.
final class HandClock: Clock {
  struct Instant: InstantProtocol {
    var since: Duration
    func advanced(by duration: Duration) -> Instant { Instant(since: since + duration) }
    func duration(to other: Instant) -> Duration { other.since - since }
    static func < (left: Instant, right: Instant) -> Bool { left.since < right.since }
  }

  private let time = Mutex(Instant(since: .zero))
  var now: Instant { time.withLock { $0 } }
  var minimumResolution: Duration { .zero }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws { time.withLock { $0 = max($0, deadline) } }
}
