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
