import Foundation
import NIOSSL

/// Connection settings that differ from the default: a proxy, and trust roots in addition to the system's.
///
/// Proxy variables of the environment are ignored.
package struct ConnectionSettings: Hashable, Sendable {
  package var proxy: ProxyAddress?
  package var authorities: TrustRoots?

  package init(proxy: ProxyAddress? = nil, authorities: TrustRoots? = nil) {
    self.proxy = proxy
    self.authorities = authorities
  }
}

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

/// Trust roots in addition to the system's.
package struct TrustRoots: Hashable, Sendable {
  package let pem: Data

  /// Creates trust roots from certificates in PEM form.
  ///
  /// - Throws: `InvalidPEMError` if there is none, or if one cannot be read.
  package init(pem: Data) throws(InvalidPEMError) {
    guard let found = try? NIOSSLCertificate.fromPEMBytes(Array(pem)), !found.isEmpty else { throw InvalidPEMError() }
    self.pem = pem
  }

  /// The error for a file without a readable certificate.
  package struct InvalidPEMError: Error, Hashable, Sendable {}
}

/// A transport that sends every request with a profile's connection settings.
///
/// The profile's timeout applies unless the request has one of its own.
package struct ConfiguredTransport: Transport {
  private let transport: any Transport
  private let route: ConnectionSettings
  private let timeout: Duration?

  package init(_ transport: any Transport, by route: ConnectionSettings, timeout: Duration?) {
    self.transport = transport
    self.route = route
    self.timeout = timeout
  }

  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    var options = options
    options.route = route
    options.limits.timeout = options.limits.timeout ?? timeout
    return try await transport.send(request, to: base, with: options)
  }

  package func decoded(in time: Duration) { transport.decoded(in: time) }
}
