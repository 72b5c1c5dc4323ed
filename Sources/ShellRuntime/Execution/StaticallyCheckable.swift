/// A command that contains other commands or changes the meaning of later lines, so that `--check` has to examine it.
package protocol StaticallyCheckable: Command {
  /// Checks the command without sending anything.
  ///
  /// `session` is a copy that only the check uses.
  ///
  /// - Throws: The first error.
  func check(_ session: inout Session, in context: CommandContext) throws
}
