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

  /// Applies the session's settings: secrets are allowed to every host (`--insecure-http`), or to the profile's
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

  func noteRequest(to host: String) {
    state.withLock { if $0.warnedHosts.insert(host).inserted { $0.unwarnedHost = host } }
  }
}
