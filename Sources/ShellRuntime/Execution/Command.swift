import CommandLanguage
import Presentation

/// A shell command.
///
/// `run` returns the data to print and how the command ended. Warnings, progress and prompts go to the console of the
/// scope, and a long list may be streamed to its output.
package protocol Command: Sendable {
  static var declaration: CommandDeclaration { get }
  /// Creates the command from parsed arguments, which match its declaration.
  ///
  /// - Throws: `ParseError` for an error that only this command can detect.
  init(_ invocation: ParsedCommand) throws
  /// Runs the command.
  ///
  /// - Throws: Any error that `CommandError` can describe.
  func run(in scope: inout CommandScope) async throws -> CommandResult
  /// A Boolean value that indicates whether this invocation writes.
  ///
  /// Then `watch` doesn't repeat it and `curl` doesn't send it.
  var writes: Bool { get }
}

extension Command {
  package var writes: Bool { Self.declaration.writesToMarket }
}
