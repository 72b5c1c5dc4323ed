/// The two forms of the protocol: a request carries its version (2026-07-28), or the connection begins with a handshake.
package enum ProtocolEra: Hashable, Sendable {
  case modern
  case legacy
}
