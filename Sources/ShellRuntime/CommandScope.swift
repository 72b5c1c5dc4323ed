import WriteJournal
import Catalog
import CommandLanguage
import Platform
import Presentation
import Text

/// The surroundings of one running command: the session, the dependencies, the treatment of its writes and the
/// destination of its output.
///
/// A command changes the session; everything else that it finds is part of its `CommandResult`.
package struct CommandScope: Sendable {
  /// The treatment of a command's writes.
  package enum Mode: Hashable, Sendable {
    case write
    /// Writes are shown and not sent.
    case dry
    /// The requests are printed as curl commands.
    ///
    /// Writes aren't previewed, confirmed or sent.
    case curl
  }

  package var session: Session
  package var context: CommandContext
  package var mode: Mode
  package var output: CommandOutput
  /// The variables, `_` and rows in the line that mean a product or a value of one, with the markets of the
  /// products.
  package var references: [(name: String, market: MarketIdentity)] = []

  package init(
    _ session: Session, _ context: CommandContext, mode: Mode = .write, output: CommandOutput = CommandOutput()
  ) {
    self.session = session
    self.context = context
    self.mode = mode
    self.output = output
  }
}

extension CommandScope {
  /// The actor of a change that is made now: the maker of the plan that is executed, the agent that runs the program, the
  /// running script, or the source of the lines.
  package var actor: ChangeActor {
    if let actor = context.program.attribution?.actor { return actor }
    if let agent = context.program.agent { return .agent(agent) }
    if let script = session.script.stack.last { return .script(script.name) }
    return session.actor
  }

  /// Stores the result of a complete scan, if versions are stored.
  package func recordSnapshot(_ products: [Product]) {
    context.stores.recording.snapshots?.record(products, of: session.snapshotMarket, taken: context.clock.seconds)
  }

  /// Runs a body with other dependencies.
  ///
  /// Afterwards the dependencies, the mode and the output are the previous ones. Changes of the session remain.
  package mutating func with<Result>(
    _ context: CommandContext, _ body: (inout CommandScope) async throws -> Result
  ) async rethrows -> Result {
    let outer = (self.context, mode, output)
    self.context = context
    defer { (self.context, mode, output) = outer }
    return try await body(&self)
  }

  /// Runs the commands of a line on behalf of the command, in its mode.
  ///
  /// - Throws: The error of the first command that fails.
  package mutating func run(_ line: String) async throws -> CommandResult {
    let lines = context.program.lines
    return try await lines.run(line, in: &self)
  }

  /// Runs the lines of a file on behalf of the command.
  ///
  /// - Throws: `FileError`, or `CommandError` for a script that runs itself.
  package mutating func run(script: ScriptReference) async throws -> CommandResult {
    let lines = context.program.lines
    return try await lines.run(script: script, in: &self)
  }

  /// Checks a line without running it.
  ///
  /// - Throws: The first error.
  package mutating func check(_ line: String) throws -> CommandResult {
    let lines = context.program.lines
    return try lines.check(line, in: &self)
  }

  /// Checks the lines of a file without running them.
  ///
  /// - Throws: `FileError`, or `CommandError` for a script that runs itself.
  package mutating func check(script: ScriptReference) throws -> CommandResult {
    let lines = context.program.lines
    return try lines.check(script: script, in: &self)
  }
}

extension CommandScope {
  /// Returns a writer of rows to the destination, or `nil` if all rows must be known before the first can be written.
  ///
  /// A command that used it sets `CommandResult.wasStreamed`.
  package func rowWriter(columns: [ProductField]?) -> StreamingRowWriter? {
    output.streamsRows ? StreamingRowWriter(output.clauses, columns: columns, self) : nil
  }

  /// Writes text that is produced piece by piece, or that a terminal interprets, to standard output as it is.
  ///
  /// - Throws: `OutputError`.
  package func writeOutput(_ text: String) throws { try context.program.console.writeOutput(text) }

  /// Writes rows of text that are produced piece by piece to standard output, on a terminal without control characters.
  ///
  /// - Throws: `OutputError`.
  package func writeSanitizedOutput(_ text: String) throws { try context.program.console.writeSanitizedOutput(text) }
  package func writeSanitizedOutput(_ bytes: [UInt8]) throws { try context.program.console.writeSanitizedOutput(bytes) }
}
