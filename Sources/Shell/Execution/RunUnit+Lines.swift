import CommandLanguage
import Commands
import Foundation
import MarketOperations
import Platform
import ShellRuntime
import Text
import WriteJournal

extension RunUnit {
  /// Creates the unit of a line, or that of the script if it is `source FILE` alone.
  ///
  /// The identity is that of the command with its targets and values. Prefixes, clauses, and parameters without an effect are
  /// left out of it.
  init(line: String, in scope: CommandScope) {
    self.init(line: line, RunUnit.commands(of: line, in: scope), in: scope)
  }

  /// Creates the unit of a line whose commands were parsed; see `commands(of:in:)`.
  init(line: String, _ commands: [ParsedCommand]?, in scope: CommandScope) {
    let (context, key) = (scope.context, scope.session.script.key)
    guard let commands else {
      self.init(
        .line, CommandScope.firstWord(of: line), identity: RunUnit.digest("line " + line.trimmed), key: key)
      return
    }
    if commands.count == 1, commands[0].command == SourceCommand.declaration.name, let file = commands[0].text("FILE") {
      let path = ScriptFile.canonicalPath(Paths.expanded(file, home: context.program.environment["HOME"]))
      self.init(
        script: file, at: path, from: commands[0].number("from") ?? 1, arguments: commands[0].all("ARGS"), key: key)
      return
    }
    // `resume` in front of a line is the old intent, and the line after it is the same with or without.
    let rest = commands.drop(while: RunUnit.isResume)
    let words = (rest.isEmpty ? commands[...] : rest).map { RunUnit.effect(of: $0, context.program.commands) }.joined(
      separator: "\n")
    let isTyped = commands.contains(where: context.program.sendsAsTyped) || scope.holdsSecret(line)
    let text = isTyped ? commands.map { $0.command + " …" }.joined(separator: "; ") : line.trimmed
    self.init(
      .line, text, identity: RunUnit.digest("line " + words),
      key: key ?? (commands.count == 1 ? commands[0].text("once") : nil))
  }

  /// Creates the unit of a script file.
  ///
  /// From another line than the first it is another unit: the user runs what a stopped run has left.
  init(script name: String, at path: String, from line: Int = 1, arguments: [String] = [], key: String? = nil) {
    let text = ([name] + arguments.map { Quoting.quote($0) }).joined(separator: " ")
    let start = line > 1 ? ["from \(line)"] : []
    self.init(
      .script, text, identity: RunUnit.digest((["script " + path] + start + arguments).joined(separator: "\n")),
      path: path, key: key)
  }

  /// Creates the unit of several lines of `-c`.
  init(script name: String, content: String, key: String?) {
    self.init(.script, name, identity: RunUnit.digest("lines " + content), key: key)
  }

  /// Returns whether a command is `resume`, which is the old intent and no part of a new one.
  static func isResume(_ command: ParsedCommand) -> Bool { command.command == ResumeCommand.declaration.name }

  /// Returns whether a line is in front of a script and is no part of what it repeats: one without a command, or
  /// `resume`.
  static func isPreamble(_ line: String, in scope: CommandScope) -> Bool {
    isPreamble(line, commands(of: line, in: scope), in: scope)
  }

  /// Returns whether a line whose commands were parsed is in front of a script; see `commands(of:in:)`.
  static func isPreamble(_ line: String, _ commands: [ParsedCommand]?, in scope: CommandScope) -> Bool {
    commands?.allSatisfy(isResume)
      ?? ((try? scope.context.program.commands.grammar.segments(of: line))?.isEmpty == true)
  }

  /// Returns the unit of a line that may be held back by a run, or `nil` for one that writes nothing or is to be made again.
  fileprivate static func newIntent(of line: String, in scope: CommandScope) -> RunUnit? {
    guard let commands = commands(of: line, in: scope), !commands.contains(where: { $0.has("again") }),
      commands.contains(where: { command in
        !isResume(command)
          && (scope.context.program.commands.declaration(of: command)?.writesToMarket == true
            || command.command == SourceCommand.declaration.name)
      })
    else { return nil }
    return RunUnit(line: line, in: scope)
  }

  /// Returns whether a line resumes, undoes or forgets runs.
  fileprivate static func endsRuns(_ line: String, in scope: CommandScope) -> Bool {
    let names = [ResumeCommand.declaration.name, UndoCommand.declaration.name, ForgetCommand.declaration.name]
    return commands(of: line, in: scope)?.contains { names.contains($0.command) } == true
  }

  /// Returns the commands of a line with aliases expanded, or `nil` if it has none or one can't be parsed.
  static func commands(of line: String, in scope: CommandScope) -> [ParsedCommand]? {
    do {
      var commands: [ParsedCommand] = []
      for segment in try scope.context.program.commands.grammar.segments(of: line) {
        commands += try scope.grammar.commands(of: segment, in: line).map {
          try scope.read($0.source, of: $0.line)
        }
      }
      return commands.isEmpty ? nil : commands
    } catch {
      return nil
    }
  }

  /// Returns the text of a command without the words that have no effect.
  private static func effect(of command: ParsedCommand, _ commands: CommandRegistry) -> String {
    let declaration = commands.declaration(of: command)
    let inert = Set(declaration?.effectiveParameters.filter { !$0.hasEffect }.map(\.name) ?? [])
    let arguments = command.arguments.filter { !inert.contains($0.key) }.sorted { $0.key < $1.key }.map {
      name, values in
      name + "=" + values.map(\.text).joined(separator: " ")
    }
    let assignments = command.assignments.map { $0.name + $0.operation.rawValue + $0.value }
    return ([command.command] + arguments + assignments).joined(separator: "\u{1f}")
  }

  private static func digest(_ text: String) -> String { String(SHA256.hex(Data(text.utf8)).prefix(32)) }
}

/// Checks whether a script, or the line that runs it, is one that did not end, and whether another run holds one of its
/// lines.
///
/// If the journal can't be read, the script begins: its writes fail, because they can't be recorded.
///
/// - Parameters:
///   - lines: The lines of the script, as far as they are known.
///   - scope: The scope of the command.
/// - Throws: The errors of `RunAdmission.admitUnit`.
func admitScript(_ lines: [String], in scope: CommandScope) async throws {
  guard let current = scope.session.script.run, current.unit.kind == .script,
    Journal.exists(in: scope.context.stores.home.journalFolder),
    let journal = try? scope.context.stores.journal()
  else { return }
  let admission = RunAdmission(at: scope.session.marketLogin, isAgain: false, in: scope)
  if (try? journal.hasUnsettledRuns(of: current.unit)) == true { try await admission.admitUnit() }
  // What comes after a line that ends runs is not in their way.
  try admission.admit(
    lines: Array(lines.prefix { !RunUnit.endsRuns($0, in: scope) })
  ) { RunUnit.newIntent(of: $0, in: scope) }
}
