import ShellRuntime

/// Runs nested lines like typed ones, but doesn't record them for `save`.
package struct NestedLineRunner: LineEvaluator {
  package init() {}

  /// - Throws: The error of the first command that fails.
  @discardableResult
  package func run(
    _ line: String, _ session: inout Session, _ mode: Execution.Mode, in context: CommandContext
  ) async throws -> Execution {
    try await LineRunner(context).run(line, &session, mode)
  }

  /// - Throws: `ParseError` for the first error in the line; the errors of checking the scripts that it runs.
  package func check(_ line: String, _ session: inout Session, in context: CommandContext) throws {
    try ScriptChecker(context).check(line, &session)
  }

  /// - Throws: `FileError`; the error of the first line that fails; `CommandError` for a script that runs itself.
  package func run(
    script: ScriptReference, _ session: inout Session, _ mode: Execution.Mode, in context: CommandContext
  ) async throws {
    try await NestedScript(script, context).run(&session, mode)
  }

  /// - Throws: `FileError`; the first error in a line.
  package func check(script: ScriptReference, _ session: inout Session, in context: CommandContext) throws {
    try NestedScript(script, context).check(&session)
  }
}
