import CommandLanguage
import Commands
import Foundation
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The lines of a script after the one where an interrupted run stopped.
///
/// They are run only if the script is unchanged up to there, and if what they refer to can be restored.
struct ScriptResumption {
  private let run: Run

  init(_ run: Run) { self.run = run }

  /// Runs the lines as a part of the run.
  ///
  /// Lines before the stop aren't run, reads included.
  ///
  /// - Throws: `JournalError` if the log can't be read; `CancellationError`.
  func execute(as current: RunInProgress, in scope: inout CommandScope) async throws -> ResumedScript {
    switch run.unit.kind {
    case .earlier, .handedOver: return .complete
    case .line:
      // A line that runs others doesn't plan everything before it begins.
      let isWhole = scope.isPlannedAtOnce(run.unit.text)
      return isWhole ? .complete : .notRun([Run.ScriptLine(number: 1, text: run.unit.text)])
    case .script: break
    }
    guard let stop = run.line else { return .complete }
    guard let script = lines(in: scope) else { return .notRun(run.unit.path == nil ? [] : [stop]) }
    let journal = try scope.context.stores.journal()
    let written = try journal.entries(ofRun: run.number, line: stop.number).filter { !isToBeRetried($0) }
    // A line that made a sale or a snapshot has ended; see `Journal.recordStep`.
    let isStep = try journal.stepLines(ofRun: run.number).contains(stop.number)
    let isFinished = isStep || !written.isEmpty && isPlannedAtOnce(stop, of: script.lines, in: scope)
    let rest = script.lines.filter { isFinished ? $0.number > stop.number : $0.number >= stop.number }
    if rest.isEmpty { return script.isWhole ? .complete : .notRun([]) }
    let left = rest.map { line in
      scope.scriptLine(LogicalLines.Line(text: line.text, number: line.number))
    }
    guard isFinished || written.isEmpty, script.isUnchanged, rest.allSatisfy(\.isComplete) else {
      return .notRun(left)
    }
    let restoration = ScriptRestoration(run, of: rest.map(\.text), scope.context)
    let values =
      isFinished ? try restoration.values(after: written, of: stop.text, in: scope.session) : restoration.values
    guard let restored = try await restoration.session(values, in: &scope) else { return .notRun(left) }
    let result = try await execute(rest, as: current, from: restored, in: &scope)
    return result == .complete && !script.isWhole ? .notRun([]) : result
  }

  /// Returns whether a change is made by its line again: it had no effect, and a key wants the script to its end.
  private func isToBeRetried(_ entry: JournalEntry) -> Bool {
    run.unit.key != nil && [.refused, .drifted, .acknowledgedNotApplied].contains(entry.state)
  }

  /// Returns the lines of the script, or `nil` if it can't be read.
  ///
  /// `isUnchanged` says whether those up to the stop are the ones that were executed.
  private func lines(
    in scope: CommandScope
  ) -> (lines: [Run.ScriptLine], isWhole: Bool, isUnchanged: Bool)? {
    if let script = run.script { return (script.lines, script.isWhole, true) }
    guard let path = run.unit.path, let inputs = try? ScriptFile.lines(path) else { return nil }
    let all = Array(ScriptLines(inputs))
    let lines = all.compactMap { line in if case .line(let line) = line { line } else { nil } }
    let copy = RunInProgress(run.unit)
    var inner = scope
    inner.session.script.stack.append(frame)
    for line in lines where line.number <= run.line?.number ?? 0 { copy.begin(line, in: inner) }
    return (
      lines.map { Run.ScriptLine(number: $0.number, text: $0.text) }, true,
      copy.content == run.content && lines.count == all.count
    )
  }

  private var frame: ScriptFrame {
    ScriptFrame(name: run.unit.text, path: run.unit.path ?? "", arguments: run.values?.arguments ?? [])
  }

  /// Returns whether all changes of the line that stopped were planned, so that nothing of it is left.
  private func isPlannedAtOnce(_ stop: Run.ScriptLine, of lines: [Run.ScriptLine], in scope: CommandScope) -> Bool {
    var inner = scope
    inner.session.script.stack.append(frame)
    let text = lines.first { $0.number == stop.number }?.text ?? stop.text
    return inner.isPlannedAtOnce(text)
  }

  /// Runs the lines with the values that they refer to.
  private func execute(
    _ lines: [Run.ScriptLine], as current: RunInProgress, from restored: Session, in scope: inout CommandScope
  ) async throws -> ResumedScript {
    let outer = scope.session
    scope.session = restored
    scope.session.script.run = current
    scope.session.script.stack.append(frame)
    defer {
      scope.session.script = outer.script
      scope.session.variables = outer.variables
    }
    for line in lines {
      if Task.isCancelled || scope.context.program.interruption.isRequested { return .failed(.interrupted) }
      let line = LogicalLines.Line(text: line.text, number: line.number)
      current.begin(line, in: scope)
      let failure = await LineRunner().run(.line(line), of: run.unit.text, in: &scope)
      if let failure { return .failed(failure.status) }
    }
    let failure = await CleanUpLines().run(from: scope.session.script.stack.count, in: &scope)
    return failure.map { .failed($0.status) } ?? .complete
  }
}

extension RunInProgress {
  /// Records the line of a script that begins, with a digest of the scripts that it names and the values that it refers to.
  ///
  /// For a single line nothing is recorded: `resume` has no later line to go on with.
  func begin(_ line: LogicalLines.Line, in scope: CommandScope) {
    guard unit.kind == .script else { return }
    let values = RunValues(scope.session, hiding: scope.context.stores.secrets)
    begin(scope.scriptLine(line), sourced: scope.sourcedDigest(of: line.text), values: values)
  }
}

extension CommandScope {
  /// Returns a line of a script as the journal records it: only its first word if it may contain a secret or a token.
  func scriptLine(_ line: LogicalLines.Line) -> Run.ScriptLine {
    let isOpen = checked(line.text).map { !$0.contains(where: context.program.sendsAsTyped) } ?? false
    if isOpen, !holdsSecret(line.text) {
      return Run.ScriptLine(number: line.number, text: line.text)
    }
    return Run.ScriptLine(number: line.number, text: CommandScope.firstWord(of: line.text), isComplete: false)
  }

  /// Returns the commands of a line, whose variables may have no value yet, or `nil` if it can't be read.
  func checked(_ line: String) -> [ParsedCommand]? {
    try? context.program.commands.grammar.segments(of: line).map { segment in
      try context.program.commands.grammar.check(
        segment, of: line, names: session.server.fieldNames, arguments: session.script.arguments,
        variables: session.value)
    }
  }

  /// Returns whether a line is one command that plans all of its changes before it makes the first, or stores the product
  /// of one: then an interrupted run knows all that is left of it.
  func isPlannedAtOnce(_ line: String) -> Bool {
    guard let commands = checked(line), commands.count == 1 else { return false }
    // `each` collects the changes of its line for all products in one plan.
    if commands[0].command == EachCommand.declaration.name { return true }
    if context.program.commands.declaration(of: commands[0])?.writesToMarket == true { return true }
    guard let inner = ScriptRestoration.captured(by: commands[0]) else { return false }
    return isPlannedAtOnce(inner.line)
  }

  /// Returns a digest of the script files that a line names, and of those that they name.
  ///
  /// A file that can't be read has another digest than any that can.
  func sourcedDigest(of line: String, depth: Int = 0) -> String {
    guard depth < 8, line.contains(SourceCommand.declaration.name) else { return "" }
    let files = checked(line)?.filter { $0.command == SourceCommand.declaration.name } ?? []
    return files.compactMap { $0.text("FILE") }.map { file in
      let path = Paths.expanded(file, home: context.program.environment["HOME"])
      guard let inputs = try? ScriptFile.lines(path) else { return " unreadable" }
      let lines = ScriptLines(inputs).map { line in if case .line(let line) = line { line.text } else { "" } }
      let inner = lines.map { sourcedDigest(of: $0, depth: depth + 1) }
      return " " + SHA256.hex(Data((lines + inner).joined(separator: "\n").utf8))
    }.joined()
  }

  /// Returns the first word of a line, with `…` in place of the others.
  static func firstWord(of line: String) -> String {
    line.trimmed.split(separator: " ").first.map { String($0) + " …" } ?? ""
  }
}

extension RunningProgram {
  /// Returns whether a command sends its text as it was typed, which may contain a token that isn't known to be a secret.
  func sendsAsTyped(_ command: ParsedCommand) -> Bool {
    commands.declaration(of: command)?.traits.contains(.sendsAsTyped) == true
  }
}
