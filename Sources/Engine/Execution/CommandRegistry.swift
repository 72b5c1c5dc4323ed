import Catalog
import Failures
import Language
import Platform
import Presentation
import Synchronization
import Text

/// All commands and the grammar derived from their declarations.
///
/// It is passed to commands, so that a command can look up others without depending on their list.
package struct CommandRegistry: Sendable {
  private let declared: Declared

  package init(_ types: [any Command.Type]) { declared = Declared(types) }

  /// The command types in the order of the overview.
  package var types: [any Command.Type] { declared.types }
  package var grammar: CommandParser { declared.all.grammar }

  /// The grammar and index, created when they are first needed, because the first prompt doesn't need them.
  private final class Declared: Sendable {
    let types: [any Command.Type]
    private let made = Mutex<(grammar: CommandParser, byName: [String: any Command.Type])?>(nil)

    init(_ types: [any Command.Type]) { self.types = types }

    var all: (grammar: CommandParser, byName: [String: any Command.Type]) {
      made.withLock { made in
        if let made { return made }
        let new = (
          CommandParser(types.map { $0.declaration }),
          Dictionary(uniqueKeysWithValues: types.map { ($0.declaration.name, $0) })
        )
        made = new
        return new
      }
    }
  }

  /// Returns the grammar with the user's aliases.
  package func grammar(aliases: [String: String]) -> CommandParser {
    var grammar = grammar
    grammar.aliases = aliases
    return grammar
  }

  /// Returns the declaration of a parsed command, or `nil` for an unknown name.
  package func declaration(of invocation: ParsedCommand) -> CommandDeclaration? {
    declared.all.byName[invocation.command]?.declaration
  }

  /// Returns the command of an invocation, ready to run.
  ///
  /// - Throws: `ParseError` for an error that only the command can detect.
  package func command(_ invocation: ParsedCommand) throws -> any Command {
    guard let type = declared.all.byName[invocation.command] else {
      throw ParseError(
        LocalizedText("Unknown command: \(invocation.command).", ko: "\(invocation.command) 명령은 없습니다."))
    }
    return try type.init(invocation)
  }
}

/// Runs or checks command lines on behalf of a command: `source`, `let x = load 42`, `assert lastHTTPStatus 404: …`, `plan …`.
///
/// The shell implements it, so that commands needn't know about aliases, prefixes and scripts.
package protocol LineEvaluator: Sendable {
  /// Runs the commands of a line in order, in the mode of the command that contains it.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - session: The session.
  ///   - mode: The mode.
  ///   - context: The dependencies.
  /// - Returns: The state of the last command.
  /// - Throws: The error of the first command that fails.
  @discardableResult
  func run(
    _ line: String, _ session: inout Session, _ mode: Execution.Mode, in context: CommandContext
  ) async throws -> Execution
  /// Checks a line without running it.
  ///
  /// - Throws: The first error.
  func check(_ line: String, _ session: inout Session, in context: CommandContext) throws
  /// Runs the lines of a file as if they were typed here.
  ///
  /// - Throws: `FileError`, the error of the first line that fails, or `CommandError` for a script that runs itself.
  func run(script: ScriptReference, _ session: inout Session, _ mode: Execution.Mode, in context: CommandContext) async throws
  /// Checks the lines of a file without running them.
  ///
  /// - Throws: `FileError`, or the first error.
  func check(script: ScriptReference, _ session: inout Session, in context: CommandContext) throws
}

/// A script named in a line.
package struct ScriptReference: Hashable, Sendable {
  /// The path of the file.
  package var path: String
  /// The name as the user typed it.
  package var name: String
  /// The values of `$1`, `$2` … in the script.
  package var arguments: [String]

  package init(_ path: String, named name: String, arguments: [String] = []) {
    self.path = path
    self.name = name
    self.arguments = arguments
  }
}

extension CommandContext {
  /// Returns the grammar with the session's aliases.
  package func grammar(of session: Session) -> CommandParser { commands.grammar(aliases: session.aliases) }

  /// Parses the commands of a line with the current values of its variables.
  ///
  /// - Throws: `ParseError` with the position in the line.
  package func read(_ line: String, _ session: Session) throws -> [ParsedCommand] {
    try commands.grammar.segments(of: line).map { segment in
      try commands.grammar.read(
        segment, of: line, names: session.server.fieldNames, arguments: session.scriptStack.last?.arguments,
        variables: session.value)
    }
  }
}

/// A shell command.
///
/// `run` returns the data to print. Notes, warnings and prompts go to the context, and a long list may be streamed to
/// the output.
package protocol Command: Sendable {
  static var declaration: CommandDeclaration { get }
  /// Creates the command from parsed arguments, which match its declaration.
  ///
  /// - Throws: `ParseError` for an error that only this command can detect.
  init(_ invocation: ParsedCommand) throws
  /// Runs the command.
  ///
  /// - Throws: Any error that `CommandError` can describe.
  func run(_ session: inout Session, _ execution: inout Execution, in context: CommandContext) async throws -> Report
  /// A Boolean value that indicates whether this invocation writes.
  ///
  /// Then `watch` doesn't repeat it and `curl` doesn't send it.
  var writes: Bool { get }
}

extension Command {
  package var writes: Bool { Self.declaration.writesToMarket }
}

/// A command that contains other commands or changes the meaning of later lines, so that `--check` has to examine it.
package protocol StaticallyCheckable: Command {
  /// Checks the command without sending anything.
  ///
  /// `session` is a copy that only the check uses.
  ///
  /// - Throws: The first error.
  func check(_ session: inout Session, in context: CommandContext) throws
}

/// The state of one running command: its mode, its exit status and what the history records.
///
/// The line runner creates it for each command and discards it afterwards.
package struct Execution: Hashable, Sendable {
  /// The treatment of the command's writes.
  package enum Mode: Hashable, Sendable {
    case write
    /// Writes are shown and not sent.
    case dry
    /// The requests are printed as curl commands.
    ///
    /// Writes aren't previewed, confirmed or sent.
    case curl
  }

  package let mode: Mode
  /// The equivalent non-interactive command line, if a form or an editor supplied the values.
  package var equivalentLine: String?
  /// A Boolean value that indicates that outliers were written after an explicit approval.
  package var isExtreme = false
  /// The exit status of a command that returns a report instead of throwing, such as a batch that was only partly done.
  package var ending = ExitStatus.success
  /// The reason for that exit status in a report of the whole run, if the command has a specific one.
  package var reason: Message?
  /// Messages about the command that are printed after its output, where a long list on a terminal doesn't hide them.
  package var closingMessages: [Message] = []
  /// The results of the command's checks, for a report of the whole run.
  package var checks: [CheckResult] = []
  /// The plans that would be written, if only their requests are printed.
  package var intended: [Plan] = []
  /// A Boolean value that indicates that a write was only shown, so that it doesn't belong in a saved script.
  package var wasOnlyShown = false
  /// The script line of the command, and its number of earlier runs in this run, or `nil` for a typed line.
  ///
  /// See `Intent.statusLine`.
  package var line: String?

  package init(_ mode: Mode = .write) { self.mode = mode }
}
