import Foundation
import Glibc

/// Recognizes the addresses of this machine, the only hosts that may get a secret over plain `http` without a word to the
/// user.
package enum Loopback {
  /// Returns the host of a URL whose traffic can be read on the way, or `nil` for `https` and for this machine.
  package static func openHost(of base: URL) -> String? {
    // The host is compared as it is sent, as in `baseURLString(of:)`: `%6cocalhost` is not `localhost`.
    guard let parts = URLComponents(url: base, resolvingAgainstBaseURL: true), parts.scheme?.lowercased() == "http",
      let host = parts.encodedHost, !host.isEmpty, !contains(host), !LocalAddresses.contains(host)
    else { return nil }
    return host
  }

  /// Returns true for `localhost`, an address in 127.0.0.0/8 and `::1`, in any spelling of IPv6.
  ///
  /// A name that only looks similar is another machine.
  package static func contains(_ host: String) -> Bool {
    var name = host.lowercased()
    while name.first == "[" { name.removeFirst() }
    while name.last == "]" { name.removeLast() }
    if name == "localhost" { return true }
    if let bytes = LocalAddresses.bytes(of: name) {
      return bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "127" else { return false }
    return parts.allSatisfy { part in
      (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (48...57).contains($0) } && UInt8(part) != nil
    }
  }
}

/// The addresses of this machine in its networks, and those of other machines near it.
package enum LocalAddresses {
  /// The IPv4 addresses of this machine without loopback.
  package static var ipv4: [String] {
    all.filter { $0.count == 4 }.map { $0.map { String($0) }.joined(separator: ".") }
  }

  /// Returns true for an address of this machine: what is sent to it does not leave the machine.
  static func contains(_ host: String) -> Bool { bytes(of: host).map { all.contains($0) } ?? false }

  /// Returns true for an address of a private network (RFC 1918, RFC 4193), for one that is valid on one link only (RFC 3927,
  /// RFC 4291), and for a name in `.local`, which the machines on a link announce themselves (RFC 6762).
  static func isPrivate(_ host: String) -> Bool {
    guard let bytes = bytes(of: host) else {
      let labels = host.lowercased().split(separator: ".", omittingEmptySubsequences: false)
      return (labels.last == "" ? labels.dropLast() : labels[...]).dropFirst().last == "local"
    }
    guard bytes.count == 4 else { return bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 }
    switch (bytes[0], bytes[1]) {
    case (10, _), (172, 16...31), (192, 168), (169, 254): return true
    default: return false
    }
  }

  /// The addresses of the interfaces that are up, without loopback.
  private static var all: [[UInt8]] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var found: [[UInt8]] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0, let address = entry.ifa_addr else { continue }
      let size: Int
      switch Int32(address.pointee.sa_family) {
      case AF_INET: size = MemoryLayout<sockaddr_in>.size
      case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
      default: continue
      }
      var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      guard getnameinfo(address, socklen_t(size), &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 else {
        continue
      }
      let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if let bytes = bytes(of: text) { found.append(bytes) }
    }
    return found
  }

  /// Returns the bytes of an address, which may be in brackets and may name its interface, or `nil` for a name.
  ///
  /// An IPv4 address in an IPv6 address (`::ffff:192.0.2.1`) is the IPv4 address.
  fileprivate static func bytes(of host: String) -> [UInt8]? {
    var text = host[...]
    if text.first == "[", text.last == "]" { text = text.dropFirst().dropLast() }
    // Elsewhere `%` begins an escape, and what follows belongs to the host.
    if text.contains(":") { text = text.prefix { $0 != "%" } }
    for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: size)
      guard inet_pton(family, String(text), &bytes) == 1 else { continue }
      let isMapped = size == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
      return isMapped ? Array(bytes[12...]) : bytes
    }
    return nil
  }
}
