import CEditLine
import Glibc
import Text

/// The terminal to draw on.
struct TerminalOutput {
  /// A copy of the descriptor, independent of what happens to the original.
  let descriptor: Int32

  init?(_ descriptor: Int32) {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { return nil }
    self.descriptor = copy
  }

  func write(_ text: String) { if !text.isEmpty { Descriptor.writeAll(text, to: descriptor) } }

  func close() { _ = Glibc.close(descriptor) }

  /// The columns and rows; 80 by 24 if the terminal does not report them.
  var size: WindowSize {
    var window = winsize()
    _ = ioctl(descriptor, UInt(TIOCGWINSZ), &window)
    return WindowSize(
      columns: window.ws_col == 0 ? 80 : max(2, Int(window.ws_col)), rows: window.ws_row == 0 ? 24 : Int(window.ws_row))
  }
}
