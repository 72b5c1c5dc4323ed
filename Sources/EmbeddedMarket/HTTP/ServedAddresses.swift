import Foundation

/// The names and addresses of a server: those that it serves, and those that it prints.
///
/// Other names are refused, so that a web page whose name resolves to this machine (DNS rebinding) gets no data.
package struct ServedAddresses: Hashable, Sendable {
  /// The host that the server listens on.
  package let host: String
  /// Further names of this machine, such as `teacher.local`.
  package let names: [String]
  /// The URL of a proxy in front of the server, without a trailing slash.
  package let publicURL: String?
  package let scheme: String

  package init(host: String, names: [String] = [], publicURL: String? = nil, scheme: String = "http") {
    self.host = host
    self.names = names
    self.publicURL = publicURL
    self.scheme = scheme
  }

  /// Returns true for loopback, the configured host and names, and the host of the public URL; if the server listens on
  /// all addresses, also for any IP literal.
  package func accepts(_ authority: String?) -> Bool {
    guard let authority, let name = ServedAddresses.name(of: authority) else { return false }
    let own =
      ["localhost", "127.0.0.1", "[::1]", host.lowercased(), "[\(host.lowercased())]"] + names.map { $0.lowercased() }
    if own.contains(name) || name == publicName || ServedAddresses.isLoopbackAddress(name) { return true }
    return !isLoopback && ServedAddresses.isAddress(name)
  }

  /// Returns the option that adds the name of an authority to those that the server answers to, or `nil` for a text that is no
  /// name.
  static func option(for authority: String) -> String? {
    guard let name = name(of: authority), !name.isEmpty, !isAddress(name), !name.hasPrefix("-"), !name.hasPrefix("."),
      name.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E })
    else { return nil }
    return "--name \(name)"
  }

  /// Returns the beginning of the URLs in a response: the public URL, or what the client used.
  package func base(for authority: String?) -> String {
    publicURL ?? "\(scheme)://\(authority ?? "localhost")"
  }

  /// A Boolean value that indicates that only this machine reaches the server.
  package var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

  package var listensOnAllAddresses: Bool { ["0.0.0.0", "::", "*"].contains(host) }

  /// Returns the URLs that work on other machines, the best one first, and on this one if there are no others.
  ///
  /// - Parameters:
  ///   - port: The port that the server listens on.
  ///   - local: The addresses of this machine in its networks.
  package func printed(port: Int, local: [String]) -> [String] {
    let reached = isLoopback ? [] : names + (listensOnAllAddresses ? local : [host])
    let urls = (publicURL.map { [$0] } ?? []) + reached.map { url($0, port) }
    return urls.isEmpty ? [localURL(port: port)] : urls
  }

  /// Returns the URL for clients on this machine: that of the loopback address if the server listens on all addresses.
  func localURL(port: Int) -> String { url(listensOnAllAddresses ? "127.0.0.1" : host, port) }

  private func url(_ name: String, _ port: Int) -> String {
    "\(scheme)://\(name.contains(":") ? "[\(name)]" : name):\(port)"
  }

  /// Returns the beginning of the URLs to hand out: what the visitor used, or the best one if the visitor is on this
  /// machine and others reach the server too.
  package func handedOut(visitedAt base: String, local: [String]) -> String {
    guard let url = URL(string: base), let host = url.host, let port = url.port, !isLoopback,
      ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
    else { return base }
    return printed(port: port, local: local)[0]
  }

  private var publicName: String? {
    publicURL.flatMap { $0.split(separator: "/").dropFirst().first }.flatMap { ServedAddresses.name(of: String($0)) }
  }

  /// Returns the host without the port, or `nil` if the port is invalid.
  private static func name(of authority: String) -> String? {
    let lower = authority.lowercased()
    let closing = lower.lastIndex(of: "]")
    guard let colon = lower.lastIndex(of: ":"), closing.map({ $0 < colon }) ?? true else { return lower }
    let port = lower[lower.index(after: colon)...]
    guard port.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return String(lower[..<colon])
  }

  /// Returns whether the text is an IPv6 address in brackets that means this machine, in any spelling, such as
  /// `[0:0:0:0:0:0:0:1]` and `[::ffff:127.0.0.1]`.
  ///
  /// No name resolves to it, so that it is safe from DNS rebinding.
  private static func isLoopbackAddress(_ name: String) -> Bool {
    guard name.hasPrefix("["), name.hasSuffix("]") else { return false }
    var bytes = [UInt8](repeating: 0, count: 16)
    guard inet_pton(AF_INET6, String(name.dropFirst().dropLast()), &bytes) == 1,
      bytes[..<10].allSatisfy({ $0 == 0 })
    else { return false }
    return bytes[10...] == [0, 0, 0, 0, 0, 1] || bytes[10...12] == [0xFF, 0xFF, 127]
  }

  private static func isAddress(_ name: String) -> Bool {
    if name.hasPrefix("["), name.hasSuffix("]") { return name.contains(":") }
    let numbers = name.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
  }
}
