import ShellRuntime

/// Runs nested lines like typed ones, but doesn't record them for `save`.
package struct NestedLineRunner: LineEvaluator {
  package init() {}

  /// - Throws: The error of the first command that fails.
  package func run(_ line: String, in scope: inout CommandScope) async throws -> CommandResult {
    try await LineRunner(scope.context).run(line, in: &scope)
  }

  /// - Throws: `ParseError` for the first error in the line.
  package func check(_ line: String, in scope: inout CommandScope) throws -> CommandResult {
    try ScriptChecker(scope.context).check(line, in: &scope)
  }

  /// - Throws: `FileError`; `CommandError` for a script that runs itself.
  package func run(script: ScriptReference, in scope: inout CommandScope) async throws -> CommandResult {
    try await NestedScript(script, scope.context).run(in: &scope)
  }

  /// - Throws: `FileError`; `CommandError` for a script that runs itself.
  package func check(script: ScriptReference, in scope: inout CommandScope) throws -> CommandResult {
    try NestedScript(script, scope.context).check(in: &scope)
  }
}
