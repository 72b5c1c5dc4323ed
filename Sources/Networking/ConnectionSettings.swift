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
