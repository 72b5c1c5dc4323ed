import Foundation

/// Recognizes the addresses of this machine, the only hosts that may get a secret over plain `http` without a word to the
/// user.
package enum Loopback {
  /// Returns the host of a URL whose traffic can be read on the way, or `nil` for `https` and for this machine.
  package static func openHost(of base: URL) -> String? {
    // The host is compared as it is sent, as in `baseURLString(of:)`: `%6cocalhost` is not `localhost`.
    guard let parts = URLComponents(url: base, resolvingAgainstBaseURL: true), parts.scheme?.lowercased() == "http",
      let host = parts.encodedHost, !host.isEmpty, !contains(host), !LocalAddresses.contains(host)
    else { return nil }
    return host
  }

  /// Returns true for `localhost`, an address in 127.0.0.0/8 and `::1`.
  ///
  /// A name that only looks similar is another machine.
  package static func contains(_ host: String) -> Bool {
    var name = host.lowercased()
    while name.first == "[" { name.removeFirst() }
    while name.last == "]" { name.removeLast() }
    if name == "localhost" || name == "::1" { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "127" else { return false }
    return parts.allSatisfy { part in
      (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (48...57).contains($0) } && UInt8(part) != nil
    }
  }
}
