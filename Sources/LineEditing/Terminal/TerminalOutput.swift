import Glibc
import Text

/// The terminal to draw on.
struct TerminalOutput {
  /// A copy of the descriptor, independent of what happens to the original.
  let descriptor: Int32

  init?(_ descriptor: Int32) {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { return nil }
    self.descriptor = copy
  }

  func write(_ text: String) { if !text.isEmpty { Descriptor.writeAll(text, to: descriptor) } }

  func close() { _ = Glibc.close(descriptor) }

  /// The columns and rows; 80 by 24 if the terminal does not report them.
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

/// The C stream that libedit uses for the keyboard.
///
/// Keys are read from its descriptor by the editor.
struct TerminalStream {
  let file: UnsafeMutablePointer<FILE>
  let descriptor: Int32

  /// Opens a stream on a copy of the descriptor, independent of what happens to the original.
  init?(_ descriptor: Int32, mode: String) {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0, let file = fdopen(copy, mode) else { return nil }
    self.file = file
    self.descriptor = copy
  }

  func close() {
    fclose(file)
  }

  /// Indicates whether input is waiting.
  var hasWaiting: Bool {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 && count > 0
  }

  /// Indicates whether a read would return immediately.
  var hasKeys: Bool {
    var waits = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waits, 1, 0) > 0 && waits.revents & Int16(POLLIN) != 0
  }

  /// Indicates whether input is unbuffered (not canonical).
  var isRaw: Bool {
    var mode = termios()
    return tcgetattr(descriptor, &mode) == 0 && mode.c_lflag & tcflag_t(ICANON) == 0
  }
}
