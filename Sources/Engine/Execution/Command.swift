import Catalog
import Language
import Platform
import Presentation

/// One thing a person can ask for. A command decides and reports; it prints nothing itself.
package protocol Command: Sendable {
  static var declaration: Declaration { get }
  /// Takes what was typed and checked; throws `ParseError` for what only this command can judge.
  init(_ invocation: Invocation) throws
  func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report
  /// Whether this very line writes: such a line is not repeated by `watch`, and `curl` sends nothing of it.
  var writes: Bool { get }
}

extension Command {
  package var writes: Bool { Self.declaration.writes }
}

/// A command that holds other commands, or that changes what later lines mean: `--check` has to look into it.
package protocol Checkable: Command {
  /// Throws what is wrong; sends nothing. `session` is a copy that only the check sees.
  func check(_ session: inout Session, in context: Context) throws
}

/// One command being carried out: how it is meant, what it learns on the way, and how it ends.
///
/// Made for every command by whoever runs its line, and dropped after it: nothing of it outlives the command.
package struct Execution: Hashable, Sendable {
  /// What is to become of what the command would write.
  package enum Mode: Hashable, Sendable {
    case write
    /// It is shown, and nothing is sent that writes.
    case dry
    /// Its requests are wanted as curl commands; nothing is shown, asked or sent that writes.
    case curl
  }

  package let mode: Mode
  /// How the command would be written so that it asks nothing: a form or an editor filled it in.
  package var spelling: String?
  /// What it wrote is out of the ordinary, and had to be allowed.
  package var isExtreme = false
  /// How it ends when its report itself tells of something not done: a batch.
  package var ending = ExitStatus.success
  /// What it would write, where only the requests are wanted.
  package var intended: [Plan] = []
  /// Nothing was written where something would have been: it does not belong into a script of what was done.
  package var wasOnlyShown = false

  package init(_ mode: Mode = .write) { self.mode = mode }
}
