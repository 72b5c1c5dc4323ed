import ShellRuntime

/// The lines of `-c`, of a file or of standard input, with the session in which they are executed.
///
/// A conforming type decides where a line is executed: `ShellScript` in the session of the shell, `NestedScript` in the scope
/// of a command.
package protocol Script {
  /// The errors that end the script before one of its lines is executed.
  associatedtype Failure: Error

  /// The lines that weren't executed yet.
  var lines: ScriptLines { get set }

  /// Prepares the session for the lines.
  mutating func start() async
  /// Begins a line.
  ///
  /// - Returns: The result with which the script ends before the line, because an earlier run of it goes on or holds it back;
  ///   otherwise `nil`.
  mutating func begin(_ line: ScriptLine) async throws(Failure) -> CommandResult?
  /// Executes a line.
  ///
  /// - Returns: Its failure, which was already printed with its position.
  mutating func execute(_ line: ScriptLine) async -> CommandResult?
  /// Ends a line, and returns what follows it.
  mutating func end(_ line: ScriptLine, failure: CommandResult?) async -> ScriptStep
  /// Stores a line that isn't executed for the reports and the clean-up.
  mutating func skip(_ line: ScriptLine) async
  /// Executes the clean-up lines of the script.
  ///
  /// - Returns: The first failure, which was already printed with its position.
  mutating func cleanUp() async -> CommandResult?
}

/// The step after a line of a script.
package enum ScriptStep {
  case nextLine
  /// The lines that are left are not executed, and not read.
  case end
  /// The lines that are left are not executed, but read: clean-up lines among them are stored.
  case skipRest
}

extension Script {
  /// Executes the lines until one ends the script, and the clean-up lines after them.
  ///
  /// - Returns: The first failure, which was already printed, or `nil`.
  /// - Throws: The error that ended the script before a line. The clean-up lines wait.
  package mutating func run() async throws(Failure) -> CommandResult? {
    await start()
    var first: CommandResult?
    execution: while let line = lines.next() {
      if let result = try await begin(line) { return result }
      let failure = await execute(line)
      first = first ?? failure
      switch await end(line, failure: failure) {
      case .nextLine: continue
      case .end: break execution
      case .skipRest:
        while let rest = lines.next() { await skip(rest) }
        break execution
      }
    }
    let failure = await cleanUp()
    return first ?? failure
  }
}
