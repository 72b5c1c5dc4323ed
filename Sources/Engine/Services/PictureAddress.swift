import Foundation

/// Which addresses of pictures are followed without anyone asking for that picture.
package enum PictureAddress {
  /// The URL of a market's text; nil for what is not `http` or `https`, and for a machine of this network that a market
  /// elsewhere names: it would have us knock there in its place.
  package static func url(_ text: String, of market: URL?) -> URL? {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host?.lowercased(), !host.isEmpty, url.user == nil
    else { return nil }
    let home = market?.host?.lowercased() ?? "127.0.0.1"
    return isNear(host) && host != home && !isNear(home) ? nil : url
  }

  /// Of this machine or this network, as far as the name alone tells.
  private static func isNear(_ host: String) -> Bool {
    if host.hasSuffix(".") { return isNear(String(host.dropLast())) }
    if host == "localhost" || host.hasSuffix(".localhost") || host.hasSuffix(".local") { return true }
    if host.contains(":") { return !host.hasPrefix("2") && !host.hasPrefix("[2") }
    let words = host.split(separator: ".", omittingEmptySubsequences: false)
    if words.count == 4, words.contains(where: { $0.hasPrefix("0") && $0.count > 1 }) {
      return true
    }
    let parts = words.map { Int($0) }
    // One number alone, or octal and the like, are other ways to write an address.
    guard parts.count == 4, let first = parts[0], let second = parts[1] else {
      return parts.allSatisfy { $0 != nil } || host.hasPrefix("0x")
    }
    switch (first, second) {
    case (0, _), (10, _), (127, _), (169, 254), (192, 168), (172, 16...31), (100, 64...127): return true
    default: return false
    }
  }
}
