import Foundation
import Synchronization

/// Measures every exchange phase by phase, each on a connection of its own, and how long the answers took to be read.
package struct TimedTransport: DecodingWitness {
  private let transport: any Transport
  private let log: TimingLog

  package init(_ transport: any Transport, into log: TimingLog) {
    self.transport = transport
    self.log = log
  }

  package func send(_ request: Request, to base: URL, deadline: Duration) async throws -> Reply {
    var request = request
    request.isMeasured = true
    return try await ObservedTransport(transport) { log.note($0) }.send(request, to: base, deadline: deadline)
  }

  package func decoded(in time: Duration) { log.note(decoding: time) }
}

/// The exchanges of one command in the order they ended, with the time their answers took to be read.
package final class TimingLog: Sendable {
  private struct State: Sendable {
    var exchanges: [Exchange] = []
    var decoding = Duration.zero
  }

  private let state = Mutex(State())

  package init() {}

  package var exchanges: [Exchange] { state.withLock { $0.exchanges } }
  package var decoding: Duration { state.withLock { $0.decoding } }

  func note(_ exchange: Exchange) { state.withLock { $0.exchanges.append(exchange) } }
  func note(decoding time: Duration) { state.withLock { $0.decoding += time } }
}
