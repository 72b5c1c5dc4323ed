import Glibc

/// The terminal that is drawn on.
struct TerminalOutput {
  /// A copy of the descriptor, which outlives what others do to theirs.
  let descriptor: Int32

  init?(_ descriptor: Int32) {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { return nil }
    self.descriptor = copy
  }

  func write(_ text: String) { if !text.isEmpty { Descriptor.write(text, to: descriptor) } }

  func close() { _ = Glibc.close(descriptor) }

  /// Columns and rows; 80 by 24 where the terminal does not know.
  var size: WindowSize {
    var window = winsize()
    _ = ioctl(descriptor, UInt(TIOCGWINSZ), &window)
    return WindowSize(
      columns: window.ws_col == 0 ? 80 : max(2, Int(window.ws_col)), rows: window.ws_row == 0 ? 24 : Int(window.ws_row))
  }
}

struct WindowSize: Equatable {
  var columns: Int
  var rows: Int
}

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
