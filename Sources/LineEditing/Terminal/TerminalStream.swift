import CEditLine
import Glibc

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
