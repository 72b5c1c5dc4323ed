import CEditLine
import Glibc
import Text

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

  func restore() {
    var mode = before
    _ = tcsetattr(descriptor, TCSADRAIN, &mode)
    TerminalRestoration.markRestored()
  }
}

/// The terminal modes while a line is typed: unbuffered input and bracketed paste.
struct RawMode {
  static let pasteOn = "\u{1B}[?2004h"
  static let pasteOff = "\u{1B}[?2004l"

  private let editLine: OpaquePointer
  private let keyboard: TerminalStream

  init(_ editLine: OpaquePointer, _ keyboard: TerminalStream) { (self.editLine, self.keyboard) = (editLine, keyboard) }

  func enter() {
    TerminalRestoration.change(keyboard.descriptor, sendsCodes: true) { edit_prepare_terminal(editLine, 1) }
  }

  func leave() {
    edit_prepare_terminal(editLine, 0)
    TerminalRestoration.markRestored()
  }
}

extension termios {
  mutating func setControlCharacter(_ index: Int32, _ value: cc_t) {
    withUnsafeMutableBytes(of: &c_cc) { $0[Int(index)] = value }
  }
}

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

/// Sets the locale.
///
/// Without UTF-8 libedit drops every character outside ASCII and may crash.
enum UTF8Locale {
  /// Uses the character set of the environment if it is UTF-8, or else another locale with UTF-8.
  static func activate() {
    setlocale(LC_CTYPE, "")
    for name in ["C.UTF-8", "C.utf8", "en_US.UTF-8"] where !isUTF8 {
      setlocale(LC_CTYPE, name)
    }
  }

  private static var isUTF8: Bool {
    nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } == "UTF-8"
  }
}

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

struct WindowSize: Equatable {
  var columns: Int
  var rows: Int
}
