/// The host names that this server accepts, so that a web page whose name resolves to our address (DNS rebinding) gets
/// no data.
struct HostAllowList: Hashable, Sendable {
  /// The host that the server listens on.
  let host: String

  /// Returns true for `localhost`, loopback addresses and the configured host; if the server listens on all addresses,
  /// also for any IP literal.
  func accepts(_ authority: String?) -> Bool {
    guard let authority, let name = HostAllowList.name(of: authority) else { return false }
    if ["localhost", "127.0.0.1", "[::1]", host.lowercased(), "[\(host.lowercased())]"].contains(name) { return true }
    return !isLoopback && HostAllowList.isAddress(name)
  }

  var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

  /// Returns the host without the port, or `nil` if the port is invalid.
  private static func name(of authority: String) -> String? {
    let lower = authority.lowercased()
    let closing = lower.lastIndex(of: "]")
    guard let colon = lower.lastIndex(of: ":"), closing.map({ $0 < colon }) ?? true else { return lower }
    let port = lower[lower.index(after: colon)...]
    guard port.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return String(lower[..<colon])
  }

  private static func isAddress(_ name: String) -> Bool {
    if name.hasPrefix("["), name.hasSuffix("]") { return name.contains(":") }
    let numbers = name.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
  }
}
