import Language
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
