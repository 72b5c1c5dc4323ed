import Foundation

/// A transport that sends every request once, for checks that must see each response of the server.
package struct SingleAttemptTransport: Transport {
  private let transport: any Transport

  package init(_ transport: any Transport) { self.transport = transport }

  /// Sends the request once.
  ///
  /// - Throws: `TransportError` of the only attempt.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    var options = options
    options.retriesReads = false
    return try await transport.send(request, to: base, with: options)
  }

  package func decoded(in time: Duration) { transport.decoded(in: time) }
}
