import Foundation
import Networking

/// The base URL of a server as users type it: `http` or `https` with a host, without query, user or trailing slash.
///
/// Without a scheme, `localhost:8080`, it is `http` on this machine and `https` elsewhere.
package struct ServerAddress: Hashable, Sendable {
  package let url: URL

  package init?(_ text: String) {
    var text = text
    if !text.contains("://"),
      let match = text.prefixMatch(of: /([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]+)?(?=\/|$)/),
      match.2 != nil || match.1.contains(".") || Loopback.contains(String(match.1))
    {
      text = (Loopback.contains(String(match.1)) ? "http://" : "https://") + text
    }
    guard var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      scheme == "http" || scheme == "https", parts.encodedHost?.isEmpty == false, parts.user == nil,
      parts.password == nil, parts.query == nil, parts.fragment == nil, parts.hasValidPort
    else { return nil }
    while parts.path.hasSuffix("/") { parts.path.removeLast() }
    guard let url = parts.url else { return nil }
    self.url = url
  }
}
