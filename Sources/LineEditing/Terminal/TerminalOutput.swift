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
