import NIOCore

extension Channel {
  /// The IP address of the client, or "" if it is unknown.
  ///
  /// An IPv4 client of a server that listens on IPv6 as well has an IPv4 address (RFC 4291 section 2.5.5.2).
  var clientAddress: String {
    let address = remoteAddress?.ipAddress ?? ""
    let mapped = "::ffff:"
    return address.hasPrefix(mapped) && address.contains(".") ? String(address.dropFirst(mapped.count)) : address
  }
}
