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
  static func owns(_ client: SocketAddress, connectedTo server: SocketAddress, in list: String, account: uid_t) -> Bool?
  {
    guard let client = name(of: client), let server = name(of: server) else { return nil }
    for line in list.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: " ", maxSplits: 10)
      guard fields.count > 9, fields[1] == client, fields[2] == server, let owner = uid_t(fields[7]) else { continue }
      // A closed socket has no inode, and its owner is shown as 0.
      return fields[9] != "0" && (owner == account || owner == 0)
    }
    return nil
  }

  /// Returns the list of the kernel, whose size it does not tell.
  private static func read() -> String? {
    let file = open("/proc/self/net/tcp", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(file, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count == 0 ? String(decoding: bytes, as: UTF8.self) : nil }
      bytes += part[..<count]
    }
  }

  /// Returns an IPv4 address and port as the list has them: the four bytes as a number of this machine in hexadecimal.
  private static func name(of address: SocketAddress) -> String? {
    guard case .v4 = address, let port = address.port, let host = address.ipAddress else { return nil }
    return String(format: "%08X:%04X", inet_addr(host), UInt32(port))
  }
}
