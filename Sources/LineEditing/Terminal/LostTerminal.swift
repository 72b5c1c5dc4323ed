import Glibc

/// A terminal that went away while we were on it.
package enum LostTerminal {
  private static let standard = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]

  /// Whether the descriptor was a terminal, and there is nobody at its other end any more.
  package static func isLost(_ descriptor: Int32) -> Bool {
    var modes = termios()
    return tcgetattr(descriptor, &modes) != 0 && errno == EIO
  }

  /// Nothing more is read from a lost one or written to it: in its place is what takes everything and gives nothing.
  package static func letGo(_ descriptors: [Int32] = standard) {
    let lost = descriptors.filter(isLost)
    guard !lost.isEmpty else { return }
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard nothing >= 0 else { return }
    for descriptor in lost {
      let flags = fcntl(descriptor, F_GETFD)
      dup2(nothing, descriptor)
      _ = fcntl(descriptor, F_SETFD, flags)
    }
    close(nothing)
  }

  /// Something could not be written: where the reason is that the terminal went away, and SIGHUP went to another process
  /// of the session alone, it comes to us now.
  package static func notice(_ descriptor: Int32) {
    if isLost(descriptor) { kill(getpid(), SIGHUP) }
  }
}
