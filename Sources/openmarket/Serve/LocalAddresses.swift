import Foundation

/// The addresses of this machine in its networks.
enum LocalAddresses {
  /// The IPv4 addresses without loopback.
  static var ipv4: [String] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var names: [String] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0, let address = entry.ifa_addr,
        address.pointee.sa_family == sa_family_t(AF_INET)
      else { continue }
      var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let size = socklen_t(MemoryLayout<sockaddr_in>.size)
      guard getnameinfo(address, size, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 else { continue }
      names.append(String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    return names
  }
}
