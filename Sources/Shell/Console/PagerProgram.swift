/// The program of the user's choosing that shows what is longer than the screen; its death harms nobody (safety.md P6).
struct PagerProgram: Sendable {
  /// What is run where PAGER says nothing.
  static let usual = "less -R"

  private let program: ChildProgram

  /// Nil where PAGER asks for none: empty, or `cat`.
  init?(_ environment: [String: String], _ departure: Departure) {
    let command = environment["PAGER"] ?? PagerProgram.usual
    guard !command.trimmed.isEmpty, command.trimmed != "cat" else { return nil }
    var values = environment
    // What a market wrote is on the screen: no shell, no editor, no other file from there.
    values["LESSSECURE"] = "1"
    for (name, value) in ["LESS": "R", "LESSCHARSET": "utf-8", "LV": "-c"] where values[name] == nil {
      values[name] = value
    }
    program = ChildProgram(shell: PagerProgram.line(command), environment: values, departure)
  }

  /// A plain command takes the place of the shell that reads it, so that what is told to the one is told to the other.
  private static func line(_ command: String) -> String {
    let isPlain = command.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        || " -_./+,:".utf8.contains(byte)
    }
    return isPlain ? "exec " + command : command
  }

  /// Shows the text and waits until the reader is done; false when the program could not be started.
  func show(_ text: String) async -> Bool {
    // With LESSSECURE less does not stop at Ctrl-Z: were this process to, two would read one terminal. So nobody does,
    // and a pager that finds the signal ignored leaves it so.
    switch await program.run(input: Array(text.utf8), staysAwake: true) {
    // The shell's words for a program that cannot be run.
    case .exit(126), .exit(127), .notStarted: false
    case .exit, .signal: true
    }
  }
}
