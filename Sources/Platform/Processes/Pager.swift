import Foundation
import Text

/// The pager for output that is longer than the screen.
///
/// Its failure affects nothing else.
package struct Pager: Sendable {
  /// The command to use if PAGER is not set.
  package static let defaultCommand = "less -R"

  private let program: Subprocess

  /// The options of less, unless LESS is set.
  ///
  /// The text stays on the screen, as with git, because the next command is often about it. The prompt names the keys
  /// that matter, of which the help of less is full; it is English in every language because less 590 garbles a prompt that
  /// is not ASCII.
  private static let lessOptions = "-FRX -Ps?e(END) q quit, / search:q quit, Space next page, / search.$"

  /// Creates the pager, or returns `nil` if PAGER disables it: empty, or `cat`.
  package init?(_ environment: Environment, _ departure: ShutdownCoordinator) {
    let command = environment["PAGER"] ?? Pager.defaultCommand
    guard !command.trimmed.isEmpty, command.trimmed != "cat" else { return nil }
    var values = environment
    // The screen shows text of a server: no shell, editor or other file must be reachable from it.
    values["LESSSECURE"] = "1"
    for (name, value) in ["LESS": Pager.lessOptions, "LESSCHARSET": "utf-8", "LV": "-c"] where values[name] == nil {
      values[name] = value
    }
    program = Subprocess(shell: command, environment: values, departure)
  }

  /// Shows the text and waits until the user quits.
  ///
  /// Returns false if the program could not be started.
  package func show(_ text: String) async -> Bool {
    // With LESSSECURE less does not stop at Ctrl-Z, so SIGTSTP is ignored for every pager: a program that inherits an
    // ignored signal leaves it ignored.
    !Pager.failedToStart(await program.run(input: Array(text.utf8), staysAwake: true))
  }

  /// Starts the pager for input in chunks.
  ///
  /// Returns `nil` and sets `errno` if no descriptors are left.
  package func streaming() -> StreamingSubprocess? { StreamingSubprocess(program, staysAwake: true) }

  /// Returns true if the program could not be started.
  package static func failedToStart(_ ending: Subprocess.Ending) -> Bool {
    switch ending {
    // A shell reports a program that cannot be run with 126 or 127.
    case .exit(126), .exit(127), .failedToStart: true
    case .exit, .signal: false
    }
  }
}
