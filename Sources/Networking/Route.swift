import Foundation
import NIOSSL

/// The way to a server, where it is not the straight one: a proxy that is named, and authorities that are trusted
/// besides those of the system. What the environment says about proxies is never asked.
package struct Route: Hashable, Sendable {
  package var proxy: ProxyAddress?
  package var authorities: Authorities?

  package init(proxy: ProxyAddress? = nil, authorities: Authorities? = nil) {
    self.proxy = proxy
    self.authorities = authorities
  }
}

/// A proxy that is asked to connect us through (`CONNECT`): `http://HOST:PORT`.
package struct ProxyAddress: Hashable, Sendable {
  package let host: String
  package let port: Int

  /// Nil for what is no such address; one with a password in it is none, for it would be kept where it can be read.
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

/// Certificates whose signatures are trusted besides the system's.
package struct Authorities: Hashable, Sendable {
  package let pem: Data

  /// - Throws: `NoCertificate` when there is none in PEM form, or one that cannot be read.
  package init(pem: Data) throws(NoCertificate) {
    guard let found = try? NIOSSLCertificate.fromPEMBytes(Array(pem)), !found.isEmpty else { throw NoCertificate() }
    self.pem = pem
  }

  /// There is no certificate in the file that authorities were to be read from.
  package struct NoCertificate: Error, Hashable, Sendable {}
}

/// Sends what has no way of its own by this one, and with this patience: those of the profile.
package struct RoutedTransport: Transport {
  private let transport: any Transport
  private let route: Route
  private let timeout: Duration?

  package init(_ transport: any Transport, by route: Route, timeout: Duration?) {
    self.transport = transport
    self.route = route
    self.timeout = timeout
  }

  /// - Throws: what the transport behind throws.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Reply {
    var options = options
    options.route = route
    options.limits.timeout = options.limits.timeout ?? timeout
    return try await transport.send(request, to: base, with: options)
  }

  /// Hands on how long the last answer took to be read.
  package func decoded(in time: Duration) { transport.decoded(in: time) }
}
