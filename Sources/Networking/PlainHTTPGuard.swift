import Foundation
import Synchronization

/// What was decided about plain `http` to other machines, where everyone on the way can read along. One for a process.
package final class PlainHTTPPolicy: Sendable {
  private struct State {
    var allowsAllHosts = false
    /// The host of a profile that allows it.
    var profileHost: String?
    /// Hosts that the user allowed when asked.
    var allowedHosts: Set<String> = []
    var warnedHosts: Set<String> = []
    var unwarnedHost: String?
  }

  private let state = Mutex(State())

  package init() {}

  /// Takes over what the session allows: secrets to every host (`--insecure-http`), or to the profile's (`http=allow`).
  package func follow(allowsAllHosts: Bool, profileHost: String?) {
    state.withLock { state in (state.allowsAllHosts, state.profileHost) = (allowsAllHosts, profileHost) }
  }

  /// Allows secrets to this host until the end of the process: the user said so.
  package func allow(_ host: String) {
    state.withLock {
      $0.allowedHosts.insert(host)
      // Who was asked was warned.
      $0.warnedHosts.insert(host)
    }
  }

  /// True where a secret may be sent to this host over plain `http`.
  package func allowsSecrets(to host: String) -> Bool {
    state.withLock { $0.allowsAllHosts || $0.profileHost == host || $0.allowedHosts.contains(host) }
  }

  /// Returns a host that requests were sent to and that nobody was warned of yet, once.
  package func takeUnwarnedHost() -> String? { state.withLock { $0.unwarnedHost.take() } }

  fileprivate func noteRequest(to host: String) {
    state.withLock { if $0.warnedHosts.insert(host).inserted { $0.unwarnedHost = host } }
  }
}

/// A transport that lets plain `http` to another machine through only where the policy allows it: requests without a secret
/// always, with one only where the user allows that.
package struct PlainHTTPGuard: Transport {
  private let transport: any Transport
  private let policy: PlainHTTPPolicy

  package init(_ transport: any Transport, policy: PlainHTTPPolicy) {
    self.transport = transport
    self.policy = policy
  }

  /// - Throws: `TransportFailure.Reason.insecure` for a secret that may not be sent; else what the transport behind throws.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Reply {
    guard let host = Loopback.openHost(of: base) else {
      return try await transport.send(request, to: base, with: options)
    }
    guard !request.carriesSecret || policy.allowsSecrets(to: host) else {
      throw TransportFailure(.insecure(host: host), extent: .nothing)
    }
    policy.noteRequest(to: host)
    var options = options
    options.allowsPlainHTTP = true
    return try await transport.send(request, to: base, with: options)
  }

  package func decoded(in time: Duration) { transport.decoded(in: time) }
}
