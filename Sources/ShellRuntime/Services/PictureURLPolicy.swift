import Foundation

/// The check of picture URLs that are fetched without an explicit request by the user.
package enum PictureURLPolicy {
  /// Returns the URL in a market's text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - market: The base URL of the market.
  /// - Returns: `nil` for other schemes than `http` and `https`, and for a machine in the local network if the market
  ///   isn't in it, because the server could otherwise make this program send requests there.
  package static func url(_ text: String, of market: URL?) -> URL? {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host?.lowercased(), !host.isEmpty, url.user == nil
    else { return nil }
    let home = market?.host?.lowercased() ?? "127.0.0.1"
    return isNear(host) && host != home && !isNear(home) ? nil : url
  }

  /// Returns whether a host belongs to this machine or the local network, as far as its name shows.
  private static func isNear(_ host: String) -> Bool {
    if host.hasSuffix(".") { return isNear(String(host.dropLast())) }
    if host == "localhost" || host.hasSuffix(".localhost") || host.hasSuffix(".local") { return true }
    if host.contains(":") { return !host.hasPrefix("2") && !host.hasPrefix("[2") }
    let words = host.split(separator: ".", omittingEmptySubsequences: false)
    if words.count == 4, words.contains(where: { $0.hasPrefix("0") && $0.count > 1 }) {
      return true
    }
    let parts = words.map { Int($0) }
    // A single number, octal numbers and the like are other notations of an IP address.
    guard parts.count == 4, let first = parts[0], let second = parts[1] else {
      return parts.allSatisfy { $0 != nil } || host.hasPrefix("0x")
    }
    switch (first, second) {
    case (0, _), (10, _), (127, _), (169, 254), (192, 168), (172, 16...31), (100, 64...127): return true
    default: return false
    }
  }
}
