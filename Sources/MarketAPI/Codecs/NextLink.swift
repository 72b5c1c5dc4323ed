import Foundation
import Networking

/// The header field `Link` (RFC 8288).
enum LinkHeader {
  /// Returns the target of the link with the relation `next`, or `nil` if there is none.
  static func next(in field: String) -> String? {
    for link in field.matches(of: #/<([^>]*)>([^<]*)/#) {
      let relations = link.2.matches(of: #/;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/#.ignoresCase())
      let words = relations.first.flatMap { $0.1 ?? $0.2 }?.lowercased().split(separator: " ") ?? []
      if words.contains("next") { return String(link.1) }
    }
    return nil
  }
}

/// The URL of a next page, which a server sends.
enum NextLink {
  /// The maximum length of a URL in bytes.
  private static let limit = 8192

  /// Returns the path and query of a URL, relative to the base URL of the market.
  ///
  /// - Parameters:
  ///   - link: The URL, absolute or relative to that of the request.
  ///   - request: The request for the page that contains it.
  ///   - base: The base URL of the market.
  ///   - prefix: The path of the API below it.
  /// - Returns: `nil` for a URL with another scheme, host or port, with user information, or with a path that isn't below
  ///   that of the API: the next request has the credentials of this one.
  static func target(of link: String, in request: Request, at base: URL, below prefix: RequestPath) -> String? {
    guard link.utf8.count <= limit, !link.contains("\\"), let current = (try? request.url(at: base)).flatMap(URL.init),
      let url = URL(string: link, relativeTo: current)?.absoluteURL,
      let next = URLComponents(url: url, resolvingAgainstBaseURL: true),
      let own = URLComponents(url: base, resolvingAgainstBaseURL: true),
      next.user == nil, next.password == nil, origin(next) == origin(own)
    else { return nil }
    var root = Substring(own.percentEncodedPath)
    while root.last == "/" { root.removeLast() }
    let path = next.percentEncodedPath
    var below = root + (prefix.segments.isEmpty ? "" : prefix.description)
    if below.last == "/" { below.removeLast() }
    guard path == below || path.hasPrefix(below + "/"), !path.isEmpty else { return nil }
    // A server may decode a segment before it resolves dots.
    for segment in path.split(separator: "/") {
      guard let plain = segment.removingPercentEncoding, plain != ".", plain != "..",
        !plain.contains("/"), !plain.contains("\\")
      else { return nil }
    }
    let target = String(path.dropFirst(root.count))
    return (target.isEmpty ? "/" : target) + (next.percentEncodedQuery.map { "?" + $0 } ?? "")
  }

  private static func origin(_ parts: URLComponents) -> [String] {
    let scheme = parts.scheme?.lowercased() ?? ""
    let port = parts.port ?? (scheme == "https" ? 443 : 80)
    return [scheme, parts.encodedHost?.lowercased() ?? "", String(port)]
  }
}
