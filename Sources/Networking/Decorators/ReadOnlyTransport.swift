import Foundation

/// A transport that sends nothing but `GET` and `HEAD`, so that no mistake in the code above it can change a market.
package struct ReadOnlyTransport: Transport {
  private let transport: any Transport

  package init(_ transport: any Transport) { self.transport = transport }

  /// Sends a request that reads.
  ///
  /// - Throws: `TransportError` with `.methodNotAllowed` for any other method; nothing is sent then.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    guard request.method == .get || request.method == .head else {
      throw TransportError(.methodNotAllowed(request.method), extent: .none)
    }
    return try await transport.send(request, to: base, with: options)
  }

  package func decoded(in time: Duration) { transport.decoded(in: time) }
}
