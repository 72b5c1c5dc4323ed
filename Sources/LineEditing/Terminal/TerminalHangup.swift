import CEditLine
import Glibc

/// A terminal that was hung up while the program runs.
package enum TerminalHangup {
  private static let standard = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]

  /// Returns true if the descriptor was a terminal that is hung up now.
  package static func hasOccurred(_ descriptor: Int32) -> Bool {
    var modes = termios()
    return tcgetattr(descriptor, &modes) != 0 && errno == EIO
  }

  /// Redirects the hung-up ones of the descriptors to `/dev/null`, so that no more is read from or written to them.
  package static func redirectToDevNull(_ descriptors: [Int32] = standard) {
    let lost = descriptors.filter(hasOccurred)
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

  /// Raises SIGHUP after a failed write if the terminal was hung up and the kernel sent SIGHUP only to another process
  /// of the session.
  package static func raiseIfNeeded(_ descriptor: Int32) {
    if hasOccurred(descriptor) { kill(getpid(), SIGHUP) }
  }
}
