import Foundation

/// A transport that enforces the policy for plain `http` to other machines: requests without secrets are sent, those
/// with secrets only within a private network or if the user allows it.
package struct PlainHTTPGuard: Transport {
  private let transport: any Transport
  private let policy: PlainHTTPPolicy

  package init(_ transport: any Transport, policy: PlainHTTPPolicy) {
    self.transport = transport
    self.policy = policy
  }

  /// Sends the request if the policy allows it.
  ///
  /// - Throws: `TransportError` with `.insecureHost` for a secret that may not be sent, or the error of the wrapped
  ///   transport.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    if let host = Loopback.openHost(of: base) {
      guard !request.carriesSecret || policy.allowsSecrets(to: host) || policy.onlyWarns(of: host) else {
        throw TransportError(.insecureHost(host: host), extent: .none)
      }
      policy.noteRequest(to: host)
    }
    var options = options
    options.allowsPlainHTTP = true
    return try await transport.send(request, to: base, with: options)
  }

  package func decoded(in time: Duration) { transport.decoded(in: time) }
}
