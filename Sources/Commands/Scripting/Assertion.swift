import ShellRuntime

/// A claim of a script.
protocol Assertion: Sendable {
  /// Checks the claim.
  ///
  /// - Returns: The failure of a command in the claim that was already printed, or a success.
  /// - Throws: `CommandError` with `.assertionFailed` if the claim doesn't hold.
  func verify(in scope: inout CommandScope) async throws -> CommandResult
  /// Throws the first error in its text.
  func check(in scope: inout CommandScope) throws -> CommandResult
}

extension Assertion {
  package func check(in scope: inout CommandScope) -> CommandResult { .empty }
}
