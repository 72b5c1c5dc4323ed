import Foundation

/// A transport that sends every request with a profile's connection settings.
///
/// The profile's timeout applies unless the request has one of its own.
package struct ConfiguredTransport: Transport {
  private let transport: any Transport
  private let route: ConnectionSettings
  private let timeout: Duration?

  package init(_ transport: any Transport, by route: ConnectionSettings, timeout: Duration?) {
    self.transport = transport
    self.route = route
    self.timeout = timeout
  }

  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    var options = options
    options.route = route
    options.limits.timeout = options.limits.timeout ?? timeout
    return try await transport.send(request, to: base, with: options)
  }

  package func decoded(in time: Duration) { transport.decoded(in: time) }
}
