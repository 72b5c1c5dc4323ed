/// Runs, or only reads, the lines that a command holds: `source`, `let x = show 42`, `assert status 404: …`, `plan …`.
///
/// Who runs lines hands it to the commands, which know nothing of aliases, prefixes and scripts.
package protocol NestedLines: Sendable {
  /// Runs the commands of a line in order, in the same mode as the command that holds it.
  ///
  /// - Returns: the execution of the last one.
  /// - Throws: what the first that fails throws.
  @discardableResult
  func run(
    _ line: String, _ session: inout Session, _ mode: Execution.Mode, in context: Context
  ) async throws -> Execution
  /// Reads a line and runs nothing; throws the first thing that is wrong with it.
  func check(_ line: String, _ session: inout Session, in context: Context) throws
  /// Runs the lines of a file as if they were typed here.
  func run(
    script: ScriptReference, _ session: inout Session, _ mode: Execution.Mode, in context: Context
  ) async throws
  /// Reads every line of a file and runs none.
  func check(script: ScriptReference, _ session: inout Session, in context: Context) throws
}

/// A script that a line names.
package struct ScriptReference: Hashable, Sendable {
  /// Where it lies.
  package var path: String
  /// As the person wrote it.
  package var name: String
  /// `$1`, `$2` … in it.
  package var arguments: [String]

  package init(_ path: String, named name: String, arguments: [String] = []) {
    self.path = path
    self.name = name
    self.arguments = arguments
  }
}
