import Foundation
import Networking
import Synchronization

/// A transport that responds by the last path segment, after a delay on a clock that the test advances, or not before the
/// deadline.
final class FakeTransport: Transport, Sendable {
  struct Answer: Sendable {
    var delay: Duration?
    var reply: Result<Response, TransportError>
  }

  private let answers: Mutex<[String: Answer]>
  private let sent = Mutex<[(name: String, at: Duration)]>([])
  private let clock: VirtualClock

  init(_ answers: [String: Answer], _ clock: VirtualClock = VirtualClock()) {
    self.answers = Mutex(answers)
    self.clock = clock
  }

  var log: [(name: String, at: Duration)] { sent.withLock { $0 } }

  func set(_ name: String, _ answer: Answer) { answers.withLock { $0[name] = answer } }

  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    let name = request.path.last ?? ""
    sent.withLock { $0.append((name, clock.now.offset)) }
    guard let answer = answers.withLock({ $0[name] }) else {
      throw TransportError(.connectionRefused, extent: .none)
    }
    guard let delay = answer.delay else { return try answer.reply.get() }
    try await clock.sleep(for: min(delay, options.deadline ?? delay))
    if let deadline = options.deadline, deadline < delay { throw TransportError(.timedOut, extent: .complete) }
    return try answer.reply.get()
  }
}

extension FakeTransport {
  /// Returns a transport with the captures for Seoul, each after its delay, and failing where given.
  static func seoul(
    failing: Set<String> = [], delays: [String: Duration] = [:], _ clock: VirtualClock = VirtualClock()
  ) throws -> FakeTransport {
    let captures = [
      "reverse": "geo-direct-seoul-1", "weather": "current-seoul-2021-10-01-kelvin-en",
      "forecast": "forecast-seoul-2021-10-01-kelvin-kr",
    ]
    return FakeTransport(
      try Dictionary(
        uniqueKeysWithValues: captures.map { name, capture in
          let good = Response(status: 200, body: try Support.celsius(capture))
          let bad = Response(status: 502, body: Data("<html><h1>502 Bad Gateway</h1></html>".utf8))
          return (name, Answer(delay: delays[name], reply: .success(failing.contains(name) ? bad : good)))
        }), clock)
  }
}
