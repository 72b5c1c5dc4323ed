import CEditLine
import Glibc

/// An instance of libedit on a terminal: its handle, and the streams it reads from and would draw on.
///
/// Either all of them are opened or none.
struct LibeditTerminal {
  let editLine: OpaquePointer
  let input: TerminalStream
  let output: TerminalOutput
  /// The stream for libedit's messages about what it does not understand.
  let errorOutput: MemoryStream
  /// The stream for what libedit would draw.
  let discardedOutput: MemoryStream

  /// Opens libedit, or returns `nil` if the descriptors cannot be used or the terminal cannot move its cursor.
  init?(_ programName: String, from input: Int32, to descriptor: Int32) {
    UTF8Locale.activate()
    guard let keyboard = TerminalStream(input, mode: "r") else { return nil }
    guard let output = TerminalOutput(descriptor), let errors = MemoryStream(), let silence = MemoryStream() else {
      keyboard.close()
      return nil
    }
    // libedit sets the modes of the terminal on the descriptor and draws on the stream.
    guard
      let editLine = el_init_fd(
        programName, keyboard.file, silence.file, errors.file, keyboard.descriptor, output.descriptor,
        output.descriptor)
    else {
      keyboard.close()
      output.close()
      return nil
    }
    (self.editLine, self.input, self.output) = (editLine, keyboard, output)
    (self.errorOutput, self.discardedOutput) = (errors, silence)
    // Another terminal name is tried only if its own has no entry: setting it restarts libedit's screen.
    let kind = TerminalKind(getenv("TERM").map { String(cString: $0) }) { edit_set_terminal(editLine, $0) == 0 }
    _ = errors.take()
    guard case .screen = kind else {
      close()
      return nil
    }
  }

  func close() {
    el_end(editLine)
    input.close()
    output.close()
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
