import Foundation

/// A terminal that went away while we were on it.
package enum LostTerminal {
  /// Whether the descriptor was a terminal, and there is nobody at its other end any more.
  package static func isLost(_ descriptor: Int32) -> Bool {
    var modes = termios()
    return tcgetattr(descriptor, &modes) != 0 && errno == EIO
  }

  /// Nothing more is read from it or written to it: in its place is what takes everything and gives nothing.
  package static func letGo() {
    let lost = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].filter(isLost)
    guard !lost.isEmpty else { return }
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard nothing >= 0 else { return }
    for descriptor in lost { dup2(nothing, descriptor) }
    close(nothing)
  }

  /// Something could not be written: where the reason is that the terminal went away, and SIGHUP went to another process
  /// of the session alone, it comes to us now.
  static func notice(_ descriptor: Int32) {
    if isLost(descriptor) { kill(getpid(), SIGHUP) }
  }
}
