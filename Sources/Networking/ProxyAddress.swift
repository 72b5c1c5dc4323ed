import Foundation

/// The address of a proxy that tunnels with `CONNECT`: `http://HOST:PORT`.
package struct ProxyAddress: Hashable, Sendable {
  package let host: String
  package let port: Int

  /// Parses an address, or returns `nil` if it is not of this form.
  ///
  /// An address with a password is rejected because it would be stored in plain text.
  package init?(_ text: String) {
    guard let parts = URLComponents(string: text), parts.scheme?.lowercased() == "http", let host = parts.host,
      !host.isEmpty, let port = parts.port, (1...65_535).contains(port), parts.user == nil, parts.password == nil,
      parts.query == nil, parts.fragment == nil, parts.path.isEmpty || parts.path == "/"
    else { return nil }
    self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    self.port = port
  }

  package var text: String { "http://" + (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}
