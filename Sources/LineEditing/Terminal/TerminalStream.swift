import CEditLine
import Glibc

/// The C stream libedit takes for the keyboard; keys are read from its descriptor by us.
struct TerminalStream {
  let file: UnsafeMutablePointer<FILE>
  let descriptor: Int32

  /// The stream over a copy of the descriptor, which outlives what others do to theirs.
  init?(_ descriptor: Int32, mode: String) {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0, let file = fdopen(copy, mode) else { return nil }
    self.file = file
    self.descriptor = copy
  }

  func close() {
    fclose(file)
  }

  /// Whether keys wait to be read.
  var hasWaiting: Bool {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 && count > 0
  }

  /// Whether a read would give keys at once.
  var hasKeys: Bool {
    var waits = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waits, 1, 0) > 0 && waits.revents & Int16(POLLIN) != 0
  }

  /// Whether keys come as they are typed, not line by line.
  var isRaw: Bool {
    var mode = termios()
    return tcgetattr(descriptor, &mode) == 0 && mode.c_lflag & tcflag_t(ICANON) == 0
  }
}
