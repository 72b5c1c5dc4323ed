import Foundation
import Synchronization

/// The user's decisions about plain `http` to other machines, which everyone on the network path can read.
///
/// One per process.
package final class PlainHTTPPolicy: Sendable {
  private struct State {
    var allowsAllHosts = false
    /// The host whose profile allows secrets over plain `http`.
    var profileHost: String?
    /// The hosts that the user allowed when asked.
    var allowedHosts: Set<String> = []
    var warnedHosts: Set<String> = []
    var unwarnedHost: String?
  }

  private let state = Mutex(State())

  package init() {}

  /// Applies the session's settings: secrets are allowed to every host (`--insecureHost-http`), or to the profile's
  /// (`http=allow`).
  package func follow(allowsAllHosts: Bool, profileHost: String?) {
    state.withLock { state in (state.allowsAllHosts, state.profileHost) = (allowsAllHosts, profileHost) }
  }

  /// Allows secrets to this host until the process ends, because the user agreed when asked.
  package func allow(_ host: String) {
    state.withLock {
      $0.allowedHosts.insert(host)
      // The question was a warning already.
      $0.warnedHosts.insert(host)
    }
  }

  /// Returns true if a secret may be sent to this host over plain `http`.
  package func allowsSecrets(to host: String) -> Bool {
    state.withLock { $0.allowsAllHosts || $0.profileHost == host || $0.allowedHosts.contains(host) }
  }

  /// Returns a host that was sent requests without a warning to the user, once per host.
  package func takeUnwarnedHost() -> String? { state.withLock { $0.unwarnedHost.take() } }

  fileprivate func noteRequest(to host: String) {
    state.withLock { if $0.warnedHosts.insert(host).inserted { $0.unwarnedHost = host } }
  }
}

/// A transport that enforces the policy for plain `http` to other machines: requests without secrets are sent, those
/// with secrets only if the user allows it.
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
    guard let host = Loopback.openHost(of: base) else {
      return try await transport.send(request, to: base, with: options)
    }
    guard !request.carriesSecret || policy.allowsSecrets(to: host) else {
      throw TransportError(.insecureHost(host: host), extent: .none)
    }
    policy.noteRequest(to: host)
    var options = options
    options.allowsPlainHTTP = true
    return try await transport.send(request, to: base, with: options)
  }

  package func decoded(in time: Duration) { transport.decoded(in: time) }
}
