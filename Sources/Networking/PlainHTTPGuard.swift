import Foundation
import Synchronization

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
    if let host = policy.openHost(of: base) {
      guard !request.carriesSecret || policy.allowsSecrets(to: host) || policy.onlyWarns(of: host) else {
        throw TransportError(.insecureHost(host: host), extent: .none)
      }
      policy.noteRequest(to: host)
    }
    var options = options
    options.allowsPlainHTTP = true
    return try await transport.send(request, to: base, with: options)
  }
}

/// The user's decisions about plain `http` to other machines, which everyone on the network path can read.
///
/// One per process.
package final class PlainHTTPPolicy: Sendable {
  private struct State {
    var allowsAllHosts = false
    /// The host whose profile allows secrets over plain `http`.
    var profileHost: String?
    /// Indicates that the profile wants a question in private networks too.
    var alwaysAsks = false
    /// The hosts that the user allowed when asked.
    var allowedHosts: Set<String> = []
    var warnedHosts: Set<String> = []
    var unwarnedHost: String?
    /// The base URL of the last request, and its open host: a batch has one, and taking it apart is work for each request.
    var last: (base: URL, openHost: String?)?
  }

  private let state = Mutex(State())

  package init() {}

  /// Applies the session's settings: secrets are allowed to every host (`--insecure-http`), or to the profile's
  /// (`http=allow`), or to none without a question (`http=ask`).
  package func follow(allowsAllHosts: Bool, profileHost: String?, alwaysAsks: Bool = false) {
    state.withLock { state in
      (state.allowsAllHosts, state.profileHost, state.alwaysAsks) = (allowsAllHosts, profileHost, alwaysAsks)
    }
  }

  /// Allows secrets to this host until the process ends, because the user agreed when asked, or was warned.
  package func allow(_ host: String) {
    state.withLock {
      $0.allowedHosts.insert(host)
      // The user knows.
      $0.warnedHosts.insert(host)
    }
  }

  /// Returns true if a secret may be sent to this host over plain `http`.
  package func allowsSecrets(to host: String) -> Bool {
    state.withLock { $0.allowsAllHosts || $0.profileHost == host || $0.allowedHosts.contains(host) }
  }

  /// Returns true if a warning is enough before a secret is sent to this host: it is in a private network, such as a class
  /// with a server in the local network, where there are no certificates.
  package func onlyWarns(of host: String) -> Bool {
    LocalAddresses.isPrivate(host) && !state.withLock { $0.alwaysAsks }
  }

  /// Returns a host that was sent requests without a warning to the user, once per host.
  package func takeUnwarnedHost() -> String? { state.withLock { $0.unwarnedHost.take() } }

  /// Returns the open host of a base URL; see `Loopback.openHost(of:)`.
  func openHost(of base: URL) -> String? {
    state.withLock { state in
      if let last = state.last, last.base == base { return last.openHost }
      let host = Loopback.openHost(of: base)
      state.last = (base, host)
      return host
    }
  }

  func noteRequest(to host: String) {
    state.withLock { if $0.warnedHosts.insert(host).inserted { $0.unwarnedHost = host } }
  }
}
