import Foundation

/// A transport that records the phases of every exchange, each on a dedicated connection, and the decoding time.
package struct TimedTransport: Transport {
  private let transport: any Transport
  private let log: TimingLog

  package init(_ transport: any Transport, into log: TimingLog) {
    self.transport = transport
    self.log = log
  }

  /// Sends the request on a dedicated connection, so that every phase can be measured.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    var request = request
    request.recordsPhases = true
    return try await ObservedTransport(transport) { log.note($0) }.send(request, to: base, with: options)
  }

  /// Adds to the recorded decoding time.
  package func decoded(in time: Duration) { log.note(decoding: time) }
}
