/// The comparison of the addresses of markets, which records and sessions may write differently.
package enum MarketAddress {
  /// Returns whether two addresses name the same market.
  ///
  /// The case of scheme and host, a dot at the end of the host, the default port, a slash at the end and the name of the
  /// loopback address make no difference.
  package static func isSame(_ one: String, _ other: String) -> Bool { canonical(one) == canonical(other) }

  /// Returns the address in its canonical form (RFC 3986, 6.2.2 and 6.2.3), with `127.0.0.1` for every loopback address.
  ///
  /// Text that isn't an address, such as `embedded:open`, is returned as it is.
  package static func canonical(_ address: String) -> String {
    let pieces = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard pieces.count >= 3, pieces[0].hasSuffix(":"), pieces[1].isEmpty else { return address }
    let scheme = pieces[0].lowercased()
    var host = String(pieces[2]).lowercased()
    var port = ""
    // The colons of an IPv6 address are between brackets.
    if let colon = host.lastIndex(of: ":"), host[colon...].allSatisfy({ $0 != "]" }) {
      port = String(host[host.index(after: colon)...])
      host = String(host[..<colon])
    }
    if host.hasSuffix(".") { host.removeLast() }
    if Loopback.contains(host) || host.hasSuffix(".localhost") { host = "127.0.0.1" }
    if port == (scheme == "https:" ? "443" : "80") { port = "" }
    var path = pieces.count > 3 ? "/" + pieces[3] : ""
    while path.hasSuffix("/") { path.removeLast() }
    return scheme + "//" + host + (port.isEmpty ? "" : ":" + port) + path
  }
}
