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
}
