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

  /// The URL without the path of an endpoint at its end, such as `/api/products`, or `nil` if it has none.
  ///
  /// Such a URL is copied from the documentation of the API by mistake. A server has its endpoints below its base URL.
  package var baseOfEndpoint: URL? {
    guard let match = url.absoluteString.firstMatch(of: /\/(api\/products|items?|health)(\/[0-9]*)?\/?$/) else {
      return nil
    }
    return URL(string: String(url.absoluteString[..<match.range.lowerBound]))
  }
}
