import Foundation
import Weather

/// The program of the user's choosing that shows what is longer than the screen.
///
/// Its death harms nobody (safety.md P6).
struct PagerProgram: Sendable {
  /// What is run where PAGER says nothing.
  static let usual = "less -R"

  private let program: FedProgram

  /// Nil where PAGER asks for none: empty, or `cat`.
  init?(_ environment: [String: String]) {
    let command = environment["PAGER"] ?? PagerProgram.usual
    guard !command.trimmed.isEmpty, command.trimmed != "cat" else { return nil }
    var values = environment.filter { $0.key != "OPENMARKET_SECRET" && $0.key != OpenWeather.keyVariable }
    // What a market wrote is on the screen: no shell, no editor, no other file from there.
    values["LESSSECURE"] = "1"
    for (name, value) in ["LESS": "R", "LESSCHARSET": "utf-8", "LV": "-c"] where values[name] == nil {
      values[name] = value
    }
    // So less does not stop at Ctrl-Z; were this process to, two would read one terminal.
    program = FedProgram(command, environment: values, staysAwake: true)
  }

  /// Shows the text and waits until the reader is done; false when the program could not be started.
  func show(_ text: String) async -> Bool {
    guard let status = await program.run(Array(text.utf8)) else { return false }
    // 126 and 127 are the shell's words for a program that cannot be run.
    return !(status & 0x7F == 0 && [126, 127].contains(status >> 8 & 0xFF))
  }
}
