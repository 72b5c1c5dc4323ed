/// Runs or checks command lines on behalf of a command: `source`, `let x = show 42`, `assert status 404: …`, `plan …`.
///
/// The shell implements it, so that commands needn't know about aliases, prefixes and scripts.
package protocol LineEvaluator: Sendable {
  /// Runs the commands of a line in order, in the mode of the command that contains it.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - session: The session.
  ///   - mode: The mode.
  ///   - context: The dependencies.
  /// - Returns: The state of the last command.
  /// - Throws: The error of the first command that fails.
  @discardableResult
  func run(
    _ line: String, _ session: inout Session, _ mode: Execution.Mode, in context: CommandContext
  ) async throws -> Execution
  /// Checks a line without running it.
  ///
  /// - Throws: The first error.
  func check(_ line: String, _ session: inout Session, in context: CommandContext) throws
  /// Runs the lines of a file as if they were typed here.
  ///
  /// - Throws: `FileError`, the error of the first line that fails, or `CommandError` for a script that runs itself.
  func run(script: ScriptReference, _ session: inout Session, _ mode: Execution.Mode, in context: CommandContext)
    async throws
  /// Checks the lines of a file without running them.
  ///
  /// - Throws: `FileError`, or the first error.
  func check(script: ScriptReference, _ session: inout Session, in context: CommandContext) throws
}
