import CEditLine
import Foundation
import Glibc

/// The modes in which a terminal sends keys in other forms (see ``ModifiedKey``).
///
/// A program that was killed leaves them on. Then Ctrl-C does not interrupt a command either, because the system does not
/// recognize it. They are off from the first prompt on, and at the end as they were before. A terminal that is not known
/// to have them shows it by such a key, and from then on they are turned off before each command.
struct KeyboardModes {
  private let features: TerminalFeatures
  private var isSaved = false
  private var areSeen = false

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
    return codes + (features.hasOtherKeys ? KeyboardModes.otherKeysOff : "") + (areSeen ? KeyboardModes.allOff : "")
  }

  /// Returns the codes before a command, as after a prompt at which keys came in another form.
  mutating func offAfterPrompt(_ saw: Bool) -> String {
    areSeen = areSeen || saw
    return areSeen ? KeyboardModes.allOff : ""
  }

  private static let otherKeysOff = "\u{1B}[>4;0m"
  private static let allOff = "\u{1B}[=0u" + otherKeysOff

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

/// The keys that are pressed at a terminal, without Return and without echo, for a program without a prompt.
///
/// Ctrl-C and Ctrl-Z still send their signals. In the background nothing is read, so that the system does not stop the
/// program.
package final class SingleKeyInput: Sendable {
  /// The characters as they are typed; the stream ends with the input.
  package let keys: AsyncStream<Character>
  private let descriptor: Int32
  private let modes: TermiosOverride

  /// Begins to read, or returns `nil` if the descriptor is not a terminal that this program may read.
  package init?(_ descriptor: Int32) {
    guard SingleKeyInput.isInForeground(descriptor),
      let modes = TermiosOverride(descriptor, { $0.c_lflag &= ~tcflag_t(ICANON | ECHO) })
    else { return nil }
    (self.descriptor, self.modes) = (descriptor, modes)
    let (keys, input) = AsyncStream.makeStream(of: Character.self)
    self.keys = keys
    let thread = Thread { SingleKeyInput.read(descriptor, modes, into: input) }
    thread.name = "keys"
    thread.start()
  }

  /// Restores the modes of the terminal.
  package func end() {
    if SingleKeyInput.isInForeground(descriptor) { modes.restore() }
  }

  private static func isInForeground(_ descriptor: Int32) -> Bool { tcgetpgrp(descriptor) == getpgrp() }

  private static func read(
    _ descriptor: Int32, _ modes: TermiosOverride, into input: AsyncStream<Character>.Continuation
  ) {
    var bytes = [UInt8](repeating: 0, count: 256)
    var decoder = KeyDecoder()
    while true {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let isReady = poll(&waiting, 1, decoder.waitLimit < 0 ? 200 : decoder.waitLimit)
      guard isInForeground(descriptor) else {
        // What is typed is for another program.
        if isReady > 0 { usleep(200_000) }
        continue
      }
      // The system shell sets its own modes before `fg`, and sends no signal to a program that is running already.
      if !modes.isInEffect { modes.apply() }
      guard isReady > 0 else {
        _ = decoder.endSequence()
        continue
      }
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { return input.finish() }
      // A key that has no character, such as an arrow, means nothing here.
      for case .scalar(let scalar) in decoder.decode(bytes[..<count]) {
        switch scalar.value {
        // They arrive as keys if the terminal sends keys in another form; otherwise the system sends the signals.
        case 3: kill(getpid(), SIGINT)
        case 26: kill(0, SIGTSTP)
        case 28: kill(getpid(), SIGQUIT)
        default: input.yield(Character(scalar))
        }
      }
    }
  }
}
