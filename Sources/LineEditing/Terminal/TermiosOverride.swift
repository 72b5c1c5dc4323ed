import CEditLine
import Glibc

/// A temporary change of the terminal modes.
struct TermiosOverride {
  private let descriptor: Int32
  private let before: termios
  private let changed: termios

  /// Changes the modes, or returns `nil` if the descriptor is not a terminal.
  init?(_ descriptor: Int32, _ change: (inout termios) -> Void) {
    var mode = termios()
    guard tcgetattr(descriptor, &mode) == 0 else { return nil }
    (self.descriptor, before) = (descriptor, mode)
    change(&mode)
    changed = mode
    apply()
  }

  func apply() {
    TerminalRestoration.change(descriptor, sendsCodes: false) {
      var mode = changed
      _ = tcsetattr(descriptor, TCSADRAIN, &mode)
    }
  }

  /// Returns whether the terminal has these modes, which another program may have changed.
  var isInEffect: Bool {
    var mode = termios()
    return tcgetattr(descriptor, &mode) == 0 && mode.c_lflag == changed.c_lflag
  }

  func restore() {
    var mode = before
    _ = tcsetattr(descriptor, TCSADRAIN, &mode)
    TerminalRestoration.markRestored()
  }
}

extension termios {
  mutating func setControlCharacter(_ index: Int32, _ value: cc_t) {
    withUnsafeMutableBytes(of: &c_cc) { $0[Int(index)] = value }
  }
}
