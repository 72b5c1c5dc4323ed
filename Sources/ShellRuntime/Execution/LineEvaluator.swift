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
