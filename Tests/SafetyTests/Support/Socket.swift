import Foundation

/// One end of a loopback connection, used by one thread.
struct Socket {
  let descriptor: Int32

  /// Connects to a port, or returns `nil` if nothing listens there.
  init?(port: Int) {
    let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let result = Socket.withAddress(port) { connect(made, $0, $1) }
    guard result == 0 else {
      close(made)
      return nil
    }
    self.init(made)
  }

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var yes: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    // After this time without data the other side has hung.
    var patience = timeval(tv_sec: 300, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  static func withAddress(_ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }

  func send(_ bytes: Data) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = Data(rest.dropFirst(count))
    }
  }

  /// Appends received bytes to `bytes`, and returns `false` at the end of the stream.
  func receive(into bytes: inout Data) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count > 0 { bytes.append(contentsOf: buffer[..<count]) }
    return count > 0
  }

  /// Appends bytes of a file, whose length may be unknown, and returns `false` at its end.
  static func read(_ file: Int32, into bytes: inout Data) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Foundation.read(file, &buffer, buffer.count)
    if count > 0 { bytes.append(contentsOf: buffer[..<count]) }
    return count > 0
  }

  /// Closes the connection.
  func finish() { close(descriptor) }

  /// Ends with RST instead of FIN.
  func reset() {
    var abort = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &abort, socklen_t(MemoryLayout<linger>.size))
    close(descriptor)
  }
}
