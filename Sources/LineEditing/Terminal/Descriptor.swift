import Glibc

/// Plain writing to a descriptor, for when no stream of libedit's is there.
enum Descriptor {
  /// Writes all of it, or as much as a terminal that goes away takes.
  static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        var waits = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&waits, 1, -1)
        continue
      }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }
}
