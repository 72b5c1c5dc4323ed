import Foundation

/// How our terminal was, for after a program that was killed in the midst of its own ways.
struct TerminalModes {
  private let descriptor: Int32
  private let modes: termios

  /// Nil where none of our descriptors is a terminal.
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

  /// Takes back what a program that was killed asked of the screen: a second screen, a hidden cursor, keys and a mouse
  /// that speak otherwise, colours. Each does nothing where nothing was asked.
  func calm() {
    guard isatty(STDERR_FILENO) == 1, let name = getenv("TERM"), String(cString: name) != "dumb" else { return }
    let words = "\u{1B}[?1047l\u{1B}[?25h\u{1B}[?1l\u{1B}>\u{1B}[?1000l\u{1B}[?1002l\u{1B}[?1003l\u{1B}[?1006l\u{1B}[0m"
    try? Descriptor.write(words, to: STDERR_FILENO)
  }
}
