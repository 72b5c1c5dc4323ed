import ShellRuntime

/// A claim of a script.
protocol Assertion: Sendable {
  /// Throws `CommandError` with `.assertionFailed` if the claim doesn't hold.
  func verify(_ session: inout Session, _ mode: Execution.Mode, in context: CommandContext) async throws
  /// Throws the first error in its text.
  func check(_ session: inout Session, in context: CommandContext) throws
}

extension Assertion {
  package func check(_ session: inout Session, in context: CommandContext) {}
}
