import Glibc

/// A terminal in another mode for a while.
struct TerminalMode {
  private let descriptor: Int32
  private let before: termios
  private let changed: termios

  /// Nil when it is no terminal.
  init?(_ descriptor: Int32, _ change: (inout termios) -> Void) {
    var mode = termios()
    guard tcgetattr(descriptor, &mode) == 0 else { return nil }
    (self.descriptor, before) = (descriptor, mode)
    change(&mode)
    changed = mode
    enter()
  }

  func enter() {
    TerminalRestoration.change(descriptor, sendsCodes: false) {
      var mode = changed
      _ = tcsetattr(descriptor, TCSADRAIN, &mode)
    }
  }

  func restore() {
    var mode = before
    _ = tcsetattr(descriptor, TCSADRAIN, &mode)
    TerminalRestoration.gaveBack()
  }
}

extension termios {
  mutating func control(_ index: Int32, _ value: cc_t) {
    withUnsafeMutableBytes(of: &c_cc) { $0[Int(index)] = value }
  }
}
