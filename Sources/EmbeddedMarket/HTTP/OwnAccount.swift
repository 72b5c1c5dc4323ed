import Foundation
import Glibc
import NIOCore

/// The account to which a connection on the loopback interface belongs.
///
/// Any account of a machine reaches a port on loopback. The kernel's list of sockets says whose the other end is
/// (`/proc/net/tcp`, proc_pid_net(5)).
enum OwnAccount {
  /// Returns whether the client of a connection is the account that runs this process, or the superuser.
  ///
  /// The answer is no where the list cannot be read, and for a socket that its program has closed already.
  static func owns(_ channel: any Channel) -> Bool {
    guard let client = channel.remoteAddress, let server = channel.localAddress else { return false }
    // A row may be missing in a list that changes while it is read.
    for _ in 0..<3 {
      guard let list = read() else { return false }
      if let isOwn = owns(client, connectedTo: server, in: list, account: getuid()) { return isOwn }
    }
    return false
  }

  /// Returns whether the socket of the client in a list has an inode, and is one of the account or of the superuser; `nil` if the
  /// list does not have it.
  static func owns(_ client: SocketAddress, connectedTo server: SocketAddress, in list: Data, account: uid_t) -> Bool? {
    guard let client = name(of: client), let server = name(of: server),
      let found = list.range(of: Data(" \(client) \(server) ".utf8))
    else { return nil }
    // The addresses, the state, the queues, the timer, the retransmissions, the owner, the timeouts and the inode.
    let row = list[found.lowerBound...].prefix { $0 != UInt8(ascii: "\n") }
    let fields = String(decoding: row, as: UTF8.self).split(separator: " ")
    guard fields.count > 8, let owner = uid_t(fields[6]) else { return nil }
    // A closed socket has no inode, and its owner is shown as 0.
    return fields[8] != "0" && (owner == account || owner == 0)
  }

  /// Returns the kernel's list of sockets, whose size is unknown before it is read.
  private static func read() -> Data? {
    let file = open("/proc/self/net/tcp", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = Data()
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(file, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count == 0 ? bytes : nil }
      bytes.append(contentsOf: part[..<count])
    }
  }

  /// Returns an IPv4 address and port as the list has them: the four bytes as a number of this machine in hexadecimal.
  private static func name(of address: SocketAddress) -> String? {
    guard case .v4 = address, let port = address.port, let host = address.ipAddress else { return nil }
    return String(format: "%08X:%04X", inet_addr(host), UInt32(port))
  }
}
