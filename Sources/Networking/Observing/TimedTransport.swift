import Foundation

/// Measures every exchange phase by phase, each on a connection of its own, and how long the answers took to be read.
package struct TimedTransport: DecodingWitness {
  private let transport: any Transport
  private let log: TimingLog

  package init(_ transport: any Transport, into log: TimingLog) {
    self.transport = transport
    self.log = log
  }

  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Reply {
    var request = request
    request.isMeasured = true
    return try await ObservedTransport(transport) { log.note($0) }.send(request, to: base, with: options)
  }

  package func decoded(in time: Duration) { log.note(decoding: time) }
}
