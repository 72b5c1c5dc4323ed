import CEditLine
import Glibc

/// The modes in which a terminal sends keys in other forms (see ``ModifiedKey``).
///
/// A program that was killed leaves them on. Then Ctrl-C does not interrupt a command either, because the system does not
/// recognize it. They are off from the first prompt on, and at the end as they were before.
struct KeyboardModes {
  private let features: TerminalFeatures
  private var isSaved = false

  init(_ features: TerminalFeatures) { self.features = features }

  /// Returns the codes before a prompt, as a program that ran since the last one may have left a mode on.
  mutating func off(_ descriptor: Int32) -> String {
    var codes = ""
    if features.hasKeyboardProtocol {
      // The terminal stores the modes that are replaced.
      codes += isSaved ? "\u{1B}[=0u" : "\u{1B}[>0u"
      isSaved = true
      TerminalRestoration.popsKeyboardModes(descriptor, true)
    }
    return codes + (features.hasOtherKeys ? "\u{1B}[>4;0m" : "")
  }

  /// Returns the code that restores the modes, where the terminal has stored them.
  mutating func restored(_ descriptor: Int32) -> String {
    defer { isSaved = false }
    guard isSaved else { return "" }
    TerminalRestoration.popsKeyboardModes(descriptor, false)
    return TerminalRestoration.popKeyboardModes
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
