import Foundation
import Synchronization

/// Where the time of one exchange went; together the phases are the whole of it.
package struct Phases: Hashable, Sendable {
  /// Until a connection was there; with `lookup`, `connect` or `tls` told, what was none of them.
  package var blocked: Duration
  /// Finding the address of the name; nil where it is not told apart, zero for an address in figures.
  package var lookup: Duration?
  /// Until the server took the connection; nil where it is not told apart.
  package var connect: Duration?
  /// Until the connection was safe; nil for plain `http`, and where it is not told apart.
  package var tls: Duration?
  /// Writing the request.
  package var send: Duration
  /// From the last byte of the request to the first of the answer.
  package var wait: Duration
  /// From the first byte of the answer to the last.
  package var receive: Duration

  package init(
    blocked: Duration = .zero, lookup: Duration? = nil, connect: Duration? = nil, tls: Duration? = nil,
    send: Duration = .zero, wait: Duration = .zero, receive: Duration = .zero
  ) {
    self.blocked = blocked
    self.lookup = lookup
    self.connect = connect
    self.tls = tls
    self.send = send
    self.wait = wait
    self.receive = receive
  }

  package var whole: Duration {
    blocked + (lookup ?? .zero) + (connect ?? .zero) + (tls ?? .zero) + send + wait + receive
  }
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

/// Measures every exchange phase by phase, each on a connection of its own, and how long the answers took to be read.
package struct TimedTransport: DecodingWitness {
  private let transport: any Transport
  private let log: TimingLog

  package init(_ transport: any Transport, into log: TimingLog) {
    self.transport = transport
    self.log = log
  }

  /// Sends on a connection of its own, so that every phase is there to be measured.
  ///
  /// - Throws: what the transport behind throws.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Reply {
    var request = request
    request.isMeasured = true
    return try await ObservedTransport(transport) { log.note($0) }.send(request, to: base, with: options)
  }

  /// Adds to the time that answers took to be read.
  package func decoded(in time: Duration) { log.note(decoding: time) }
}
