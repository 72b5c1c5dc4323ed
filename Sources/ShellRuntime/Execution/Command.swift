import Catalog
import CommandLanguage
import Platform
import Presentation
import Synchronization
import Text
import WriteJournal

/// A shell command.
///
/// `run` returns the data to print and how the command ended. Warnings, progress and prompts go to the console of the
/// scope, and a long list may be streamed to its output.
package protocol Command: Sendable {
  static var declaration: CommandDeclaration { get }
  /// Creates the command from parsed arguments, which match its declaration.
  ///
  /// - Throws: `ParseError` for an error that only this command can detect.
  init(_ invocation: ParsedCommand) throws
  /// Runs the command.
  ///
  /// - Throws: Any error that `CommandError` can describe.
  func run(in scope: inout CommandScope) async throws -> CommandResult
  /// A Boolean value that indicates whether this invocation writes.
  ///
  /// Then `watch` doesn't repeat it and `curl` doesn't send it.
  var writes: Bool { get }
}

extension Command {
  package var writes: Bool { Self.declaration.writesToMarket }
}

/// A command whose output is Swift code already, so that the prefix `swift` adds nothing to it.
package protocol SwiftPrintingCommand: Command {}

/// A command that contains other commands or changes the meaning of later lines, so that `--check` has to examine it.
package protocol StaticallyCheckable: Command {
  /// Checks the command without sending anything.
  ///
  /// The session of `scope` is a copy that only the check uses.
  ///
  /// - Returns: A failure that was already printed, or a success.
  /// - Throws: The first error.
  func check(in scope: inout CommandScope) throws -> CommandResult
}

/// Runs or checks command lines on behalf of a command: `source`, `let x = show 42`, `assert status 404: …`, `plan …`.
///
/// The shell implements it, so that commands needn't know about aliases, prefixes and scripts.
package protocol LineEvaluator: Sendable {
  /// Runs the commands of a line in order, in the mode of the command that contains it.
  ///
  /// The first command that fails ends the line.
  ///
  /// - Parameter scope: The scope of the command that contains the line.
  /// - Returns: The result of the last command. Its output was already written.
  /// - Throws: The error of the first command that fails.
  func run(_ line: String, in scope: inout CommandScope) async throws -> CommandResult
  /// Runs a line as a run of its own, as if it was the only line of this program.
  ///
  /// An interrupted run with the same key goes on, and one that has ended is reported.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - key: The key that names the intent, as with `--once`, or `nil`.
  ///   - scope: The scope in which it is run.
  func run(_ line: String, once key: String?, in scope: inout CommandScope) async -> SeparateRun
  /// Checks a line without running it.
  ///
  /// - Returns: A failure if a script in the line has an error, which was already printed.
  /// - Throws: The first error.
  func check(_ line: String, in scope: inout CommandScope) throws -> CommandResult
  /// Runs the lines of a file as if they were typed here.
  ///
  /// - Returns: The first failure, which was already printed with its position.
  /// - Throws: `FileError`, or `CommandError` for a script that runs itself.
  func run(script: ScriptReference, in scope: inout CommandScope) async throws -> CommandResult
  /// Runs the lines of a script after the one where an interrupted run stopped, as a part of that run.
  ///
  /// - Parameters:
  ///   - run: The run, whose changes are complete.
  ///   - current: Its continuation.
  ///   - scope: The scope of `resume`.
  /// - Throws: `JournalError` if the log can't be read; `CancellationError`.
  func resume(_ run: Run, as current: RunInProgress, in scope: inout CommandScope) async throws -> ResumedScript
  /// Checks the lines of a file without running them.
  ///
  /// - Returns: The first failure, which was already printed with its position.
  /// - Throws: `FileError`, or `CommandError` for a script that runs itself.
  func check(script: ScriptReference, in scope: inout CommandScope) throws -> CommandResult
}

/// A line that was executed as a run of its own.
package struct SeparateRun: Sendable {
  /// The result of its last command, or the error, which isn't printed yet.
  package var outcome: Result<CommandResult, any Error>
  /// The numbers of its runs in the log, one for each market that it wrote to.
  package var runs: [Int]

  package init(_ outcome: Result<CommandResult, any Error>, runs: [Int]) {
    self.outcome = outcome
    self.runs = runs
  }
}

/// A script named in a line.
package struct ScriptReference: Hashable, Sendable {
  /// The path of the file.
  package var path: String
  /// The name as the user typed it.
  package var name: String
  /// The values of `$1`, `$2` … in the script.
  package var arguments: [String]
  /// The number of the line to begin with.
  package var start: Int

  package init(_ path: String, named name: String, arguments: [String] = [], start: Int = 1) {
    self.path = path
    self.name = name
    self.arguments = arguments
    self.start = start
  }
}

/// The result of one command: its report, its exit status and what else the history and the reports of a run record.
package struct CommandResult: Sendable {
  /// The data and messages to print.
  package var report: Report
  package var status = ExitStatus.success
  /// The reason for that exit status in a report of the run, if there is a specific one.
  package var reason: Message?
  /// The error of a command that failed and has other results too, which is printed after the report.
  ///
  /// A command without other results throws its error.
  package var error: (any Error)?
  /// Messages that are printed after the output, where a long list on a terminal doesn't hide them.
  package var closingMessages: [Message] = []
  /// The results of the command's checks, for a report of the run.
  package var checks: [CheckResult] = []
  /// The plans that would be written, if only their requests are printed.
  package var plans: [Plan] = []
  /// The equivalent non-interactive command line, if a form or an editor supplied the values.
  package var equivalentLine: String?
  /// A Boolean value that indicates that outliers were written after an explicit approval.
  package var hasOutliers = false
  /// A Boolean value that indicates that a write was only shown, so that it doesn't belong in a saved script.
  package var wasOnlyShown = false
  /// A Boolean value that indicates that a list was not read to its end, so that its rows make no complete file.
  package var isCutShort = false
  /// A Boolean value that indicates that the rows of the report were already written to the output of the scope.
  ///
  /// The report of a list that was too long to be stored is then empty.
  package var wasStreamed = false

  package init(_ report: Report = .empty, status: ExitStatus = .success) {
    self.report = report
    self.status = status
  }

  /// Creates the result of a command that failed with an error that isn't printed yet.
  package init(error: any Error) {
    self.init(.empty, status: CommandError.exitStatus(of: error))
    self.error = error
  }

  /// Creates the result of a command whose failure was already printed.
  package init(reported failure: CommandError) {
    self.init(.empty, status: failure.exitStatus)
    reason = failure.message
  }

  package var isSuccess: Bool { status == .success }
}

extension CommandResult {
  package static let empty = CommandResult()

  package static func message(_ message: Message) -> CommandResult { CommandResult(.message(message)) }
  package static func rows(_ table: Table) -> CommandResult { CommandResult(.rows(table)) }
  package static func listing(_ listing: Listing) -> CommandResult { CommandResult(.listing(listing)) }
  package static func text(_ text: LocalizedText) -> CommandResult { CommandResult(.text(text)) }
  package static func drawing(_ figure: Figure) -> CommandResult { CommandResult(.drawing(figure)) }
  package static func receipt(_ receipt: WriteReceipt) -> CommandResult { CommandResult(.receipt(receipt)) }
  package static func group(_ reports: [Report]) -> CommandResult { CommandResult(.group(reports)) }
}

extension CommandScope {
  /// The result of a command that saves something and must not, or `nil` if it may.
  ///
  /// The prefixes `curl` and `swift` print its requests, and `dry` says that nothing was saved.
  package var resultWithoutSaving: CommandResult? {
    switch mode {
    case .write: return nil
    case .curl: return .empty
    case .dry:
      var result = CommandResult.message(.note("Dry run: nothing was saved.", ko: "모의 실행: 아무것도 저장하지 않았습니다."))
      result.wasOnlyShown = true
      return result
    }
  }
}

extension CommandResult {
  /// The result of a command that ran this one as its only part, without the report, which was already written.
  package var nested: CommandResult {
    var copy = CommandResult(.empty, status: status)
    copy.reason = reason
    copy.checks = checks
    copy.hasOutliers = hasOutliers
    return copy
  }

  /// Adds the result of one of several parts, except its report, which the complete report contains.
  package mutating func merge(_ part: CommandResult) {
    if !part.isSuccess { (status, reason) = (part.status, part.reason) }
    closingMessages += part.closingMessages
    checks += part.checks
    plans += part.plans
    hasOutliers = hasOutliers || part.hasOutliers
    wasOnlyShown = wasOnlyShown || part.wasOnlyShown
  }
}

/// All commands and the grammar derived from their declarations.
///
/// It is passed to commands, so that a command can look up others without depending on their list.
package struct CommandRegistry: Sendable {
  private let declared: Declared

  package init(_ types: [any Command.Type]) { declared = Declared(types) }

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
      throw ParseError.unknownCommand(invocation.command)
    }
    return try type.init(invocation)
  }
}

extension CommandScope {
  /// The grammar with the session's aliases.
  package var grammar: CommandParser { context.program.commands.grammar(aliases: session.aliases) }

  /// Parses the commands of a line with the current values of its variables.
  ///
  /// - Throws: `ParseError` with the position in the line.
  package func read(_ line: String) throws -> [ParsedCommand] {
    try context.program.commands.grammar.segments(of: line).map { try read($0, of: line) }
  }

  /// Parses one command of a line with the current values of its variables.
  ///
  /// - Throws: `ParseError` with the position in the line.
  package func read(
    _ segment: CommandSource, of line: String, variables: ((String) -> NamedValue?)? = nil
  ) throws -> ParsedCommand {
    try context.program.commands.grammar.read(
      segment, of: line, names: session.server.fieldNames, arguments: session.script.arguments,
      variables: variables ?? session.value)
  }
}
