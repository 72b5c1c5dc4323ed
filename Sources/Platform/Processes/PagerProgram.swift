import Text

/// The program of the user's choosing that shows what is longer than the screen; its death harms nobody.
package struct PagerProgram: Sendable {
  /// What is run where PAGER says nothing.
  package static let usual = "less -R"

  private let program: ChildProgram

  /// Nil where PAGER asks for none: empty, or `cat`.
  package init?(_ environment: [String: String], _ departure: Departure) {
    let command = environment["PAGER"] ?? PagerProgram.usual
    guard !command.trimmed.isEmpty, command.trimmed != "cat" else { return nil }
    var values = environment
    // What a market wrote is on the screen: no shell, no editor, no other file from there.
    values["LESSSECURE"] = "1"
    // What was read stays on the screen, as with git: the next line is often about it.
    for (name, value) in ["LESS": "FRX", "LESSCHARSET": "utf-8", "LV": "-c"] where values[name] == nil {
      values[name] = value
    }
    program = ChildProgram(shell: command, environment: values, departure)
  }

  /// Shows the text and waits until the reader is done; false when the program could not be started.
  package func show(_ text: String) async -> Bool {
    // With LESSSECURE less does not stop at Ctrl-Z, and so no pager does: one that finds the signal ignored leaves it so.
    switch await program.run(input: Array(text.utf8), staysAwake: true) {
    // The shell's words for a program that cannot be run.
    case .exit(126), .exit(127), .notStarted: false
    case .exit, .signal: true
    }
  }
}
