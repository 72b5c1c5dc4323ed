import Glibc

/// A port of this machine that refuses connections: it is bound, but no socket listens.
///
/// The port of a server that has ended may be taken by another process a moment later.
package final class ClosedPort: Sendable {
  package let url: String
  private let socket: Int32

  package init() {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = bind(socket, address, length)
        _ = getsockname(socket, address, &length)
      }
    }
    self.socket = socket
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
  }

  deinit { close(socket) }
}
