import CommandLanguage
import Presentation

/// A shell command.
///
/// `run` returns the data to print. Notes, warnings and prompts go to the context, and a long list may be streamed to
/// the output.
package protocol Command: Sendable {
  static var declaration: CommandDeclaration { get }
  /// Creates the command from parsed arguments, which match its declaration.
  ///
  /// - Throws: `ParseError` for an error that only this command can detect.
  init(_ invocation: ParsedCommand) throws
  /// Runs the command.
  ///
  /// - Throws: Any error that `CommandError` can describe.
  func run(_ session: inout Session, _ execution: inout Execution, in context: CommandContext) async throws -> Report
  /// A Boolean value that indicates whether this invocation writes.
  ///
  /// Then `watch` doesn't repeat it and `curl` doesn't send it.
  var writes: Bool { get }
}

extension Command {
  package var writes: Bool { Self.declaration.writesToMarket }
}
