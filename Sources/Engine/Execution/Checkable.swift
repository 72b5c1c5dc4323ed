/// A command that holds other commands, or that changes what later lines mean: `--check` has to look into it.
package protocol Checkable: Command {
  /// Throws what is wrong; sends nothing. `session` is a copy that only the check sees.
  func check(_ session: inout Session, in context: Context) throws
}
