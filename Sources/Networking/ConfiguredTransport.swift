import Foundation

/// A transport that sends every request with changed options: a profile's connection settings and timeout, no retries.
package struct ConfiguredTransport: Transport {
  private let transport: any Transport
  private let configure: @Sendable (inout SendOptions) -> Void

  package init(_ transport: any Transport, configure: @escaping @Sendable (inout SendOptions) -> Void) {
    self.transport = transport
    self.configure = configure
  }

  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    var options = options
    configure(&options)
    return try await transport.send(request, to: base, with: options)
  }

  package func decoded(in time: Duration) { transport.decoded(in: time) }
}
