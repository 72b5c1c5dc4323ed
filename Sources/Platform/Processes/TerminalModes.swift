import Foundation
import Text

/// The terminal attributes before a child program ran, for restoring them if it was killed.
struct TerminalModes {
  private let descriptor: Int32
  private let modes: termios

  /// Saves the attributes, or returns `nil` if none of the standard descriptors is a terminal.
  init?() {
    var modes = termios()
    let ours = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    guard let descriptor = ours.first(where: { tcgetattr($0, &modes) == 0 }) else { return nil }
    (self.descriptor, self.modes) = (descriptor, modes)
  }

  func restore() {
    var modes = modes
    tcsetattr(descriptor, TCSADRAIN, &modes)
  }

  /// Resets the screen modes that a killed program may have set: alternate screen, hidden cursor, application keys,
  /// mouse reporting, colors.
  ///
  /// Each reset has no effect if the mode was not set.
  func resetScreen() {
    guard isatty(STDERR_FILENO) == 1, let name = getenv("TERM"), String(cString: name) != "dumb" else { return }
    let words = "\u{1B}[?1047l\u{1B}[?25h\u{1B}[?1l\u{1B}>\u{1B}[?1000l\u{1B}[?1002l\u{1B}[?1003l\u{1B}[?1006l\u{1B}[0m"
    try? Descriptor.write(words, to: STDERR_FILENO)
  }
}
