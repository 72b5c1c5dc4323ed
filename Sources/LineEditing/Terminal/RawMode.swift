import CEditLine
import Glibc

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
