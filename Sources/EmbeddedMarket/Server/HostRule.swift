/// Whose names this server answers to, so that a web page whose name was bent to our address (DNS rebinding) gets nothing.
struct HostRule: Hashable, Sendable {
  /// Where the server was asked to listen.
  let host: String

  /// Takes `localhost`, loopback addresses and the asked-for host; listening on every address, any address in digits.
  func accepts(_ authority: String?) -> Bool {
    guard let authority, let name = HostRule.name(of: authority) else { return false }
    if ["localhost", "127.0.0.1", "[::1]", host.lowercased(), "[\(host.lowercased())]"].contains(name) { return true }
    return !isLoopback && HostRule.isAddress(name)
  }

  var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

  /// The part before the port; nil when the port is none.
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
