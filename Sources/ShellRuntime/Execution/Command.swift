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

/// A command that contains other commands or changes the meaning of later lines, so that `--check` has to examine it.
package protocol StaticallyCheckable: Command {
  /// Checks the command without sending anything.
  ///
  /// The session of `scope` is a copy that only the check uses.
  ///
  /// - Returns: A failure that was already printed, or a success.
  /// - Throws: The first error.
  func check(in scope: inout CommandScope) throws -> CommandResult
}

/// Runs or checks command lines on behalf of a command: `source`, `let x = show 42`, `assert status 404: …`, `plan …`.
///
/// The shell implements it, so that commands needn't know about aliases, prefixes and scripts.
package protocol LineEvaluator: Sendable {
  /// Runs the commands of a line in order, in the mode of the command that contains it.
  ///
  /// The first command that fails ends the line.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - scope: The scope of the command that contains the line.
  /// - Returns: The result of the last command. Its output was already written.
  /// - Throws: The error of the first command that fails.
  func run(_ line: String, in scope: inout CommandScope) async throws -> CommandResult
  /// Checks a line without running it.
  ///
  /// - Returns: A failure if a script in the line has an error, which was already printed.
  /// - Throws: The first error.
  func check(_ line: String, in scope: inout CommandScope) throws -> CommandResult
  /// Runs the lines of a file as if they were typed here.
  ///
  /// - Returns: The first failure, which was already printed with its position.
  /// - Throws: `FileError`, or `CommandError` for a script that runs itself.
  func run(script: ScriptReference, in scope: inout CommandScope) async throws -> CommandResult
  /// Checks the lines of a file without running them.
  ///
  /// - Returns: The first failure, which was already printed with its position.
  /// - Throws: `FileError`, or `CommandError` for a script that runs itself.
  func check(script: ScriptReference, in scope: inout CommandScope) throws -> CommandResult
}

/// A script named in a line.
package struct ScriptReference: Hashable, Sendable {
  /// The path of the file.
  package var path: String
  /// The name as the user typed it.
  package var name: String
  /// The values of `$1`, `$2` … in the script.
  package var arguments: [String]

  package init(_ path: String, named name: String, arguments: [String] = []) {
    self.path = path
    self.name = name
    self.arguments = arguments
  }
}
