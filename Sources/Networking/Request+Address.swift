import Foundation

extension Request {
  /// The encoded path and query, as they stand in the request line after the base address's own path.
  package var target: String {
    let path = "/" + path.map(PercentEncoding.segment).joined(separator: "/")
    if query.isEmpty { return path }
    let items = query.map { PercentEncoding.query($0.name) + "=" + PercentEncoding.query($0.value) }
    return path + "?" + items.joined(separator: "&")
  }

  /// The whole address at `base`, whose own path stays in front.
  ///
  /// - Throws: `TransportFailure` when the base is no plain `http` or `https` address, or is `http` to another machine.
  package func address(at base: URL) throws(TransportFailure) -> String {
    try Request.front(of: base) + target
  }

  /// What every address at `base` begins with, up to the path of the request.
  ///
  /// - Throws: as `address(at:)`.
  static func front(of base: URL) throws(TransportFailure) -> String {
    guard let parts = URLComponents(url: base, resolvingAgainstBaseURL: true), let host = parts.host, !host.isEmpty,
      let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https", parts.user == nil,
      parts.password == nil, parts.hasSoundPort
    else { throw TransportFailure(.badAddress(base.absoluteString), extent: .nothing) }
    guard scheme == "https" || Loopback.contains(host) else {
      throw TransportFailure(.insecure(host: host), extent: .nothing)
    }
    var front = Substring(parts.percentEncodedPath)
    while front.last == "/" { front.removeLast() }
    let name = parts.percentEncodedHost ?? host
    let authority = name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
    return scheme + "://" + authority + (parts.port.map { ":\($0)" } ?? "") + front
  }
}
