import CEditLine
import Glibc

/// libedit on a terminal: its handle, and the streams it reads from and would draw on. All of them are opened, or none.
struct LibeditTerminal {
  let editLine: OpaquePointer
  let keyboard: TerminalStream
  let output: TerminalOutput
  /// Where libedit says what it does not understand.
  let errors: TextStream
  /// What libedit would draw.
  let silence: TextStream

  /// Nil when the descriptors cannot be used or the terminal cannot move its cursor.
  init?(_ programName: String, from input: Int32, to descriptor: Int32) {
    Locale.prepare()
    guard let keyboard = TerminalStream(input, mode: "r") else { return nil }
    guard let output = TerminalOutput(descriptor), let errors = TextStream(), let silence = TextStream() else {
      keyboard.close()
      return nil
    }
    // It takes the terminal's modes where the descriptor is a terminal, and draws on the stream.
    guard
      let editLine = el_init_fd(
        programName, keyboard.file, silence.file, errors.file, keyboard.descriptor, output.descriptor,
        output.descriptor)
    else {
      keyboard.close()
      output.close()
      return nil
    }
    (self.editLine, self.keyboard, self.output) = (editLine, keyboard, output)
    (self.errors, self.silence) = (errors, silence)
    // Another name for the terminal is tried only when its own has no entry: setting it starts libedit's screen anew.
    let kind = TerminalKind(getenv("TERM").map { String(cString: $0) }) { edit_set_terminal(editLine, $0) == 0 }
    _ = errors.take()
    guard case .screen = kind else {
      close()
      return nil
    }
  }

  func close() {
    el_end(editLine)
    keyboard.close()
    output.close()
  }
}
