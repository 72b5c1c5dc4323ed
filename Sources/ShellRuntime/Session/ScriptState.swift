/// The scripts that a session runs, and how.
package struct ScriptState: Hashable, Sendable {
  /// The running scripts, the innermost last.
  package var stack: [ScriptFrame] = []
  /// The run of the current line or script, or `nil` if none runs.
  package var run: CommandRun?
  /// A Boolean value that indicates that the lines come from a file or standard input and aren't typed.
  package var isReading = false
  /// A Boolean value that indicates that the lines are a test with a report: `--tap`, `--junit`.
  package var isReported = false
  /// A Boolean value that indicates whether a script continues after a failing line.
  package var continuesOnError = false
}
