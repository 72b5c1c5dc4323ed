import Foundation
import Networking

/// The base address of a server as a person writes it: http or https with a host, no query, no user, no trailing slash.
package struct ServerAddress: Hashable, Sendable {
  package let url: URL

  package init?(_ text: String) {
    guard var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      scheme == "http" || scheme == "https", let host = parts.host, !host.isEmpty, parts.user == nil,
      parts.password == nil, parts.query == nil, parts.fragment == nil, parts.hasSoundPort
    else { return nil }
    while parts.path.hasSuffix("/") { parts.path.removeLast() }
    guard let url = parts.url else { return nil }
    self.url = url
  }
}
