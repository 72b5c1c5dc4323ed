import Synchronization

/// The exchanges of one command in the order they ended, and the time spent on decoding their responses.
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
