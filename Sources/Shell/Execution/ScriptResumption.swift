import CommandLanguage
import Commands
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The lines of a script after the one where an interrupted run stopped.
///
/// They are run only if the script is unchanged up to there, and if none of them needs a value of an earlier line.
struct ScriptResumption {
  private let run: Run
  private let context: CommandContext

  init(_ run: Run, _ context: CommandContext) {
    self.run = run
    self.context = context
  }

  /// Runs the lines as a part of the run.
  ///
  /// Lines before the stop aren't run, reads included.
  ///
  /// - Throws: `JournalError` if the log can't be read; `CancellationError`.
  func execute(as current: RunInProgress, in scope: inout CommandScope) async throws -> ResumedScript {
    guard run.unit.kind == .script, let stop = run.line else { return .complete }
    guard let path = run.unit.path else { return .notRun([]) }
    guard let inputs = try? ScriptFile.lines(path) else { return .notRun([stop]) }
    let lines = Array(ScriptLines(inputs))
    let whole = lines.compactMap { line in if case .line(let line) = line { line } else { nil } }
    let before = whole.filter { $0.number <= stop.number }
    let hasWritten = try context.journal().hasWrites(ofRun: run.number, line: stop.number)
    let rest = whole.filter { hasWritten ? $0.number > stop.number : $0.number >= stop.number }
    guard !rest.isEmpty else { return .complete }
    let isComplete = whole.count == lines.count
    guard isComplete, isUnchanged(before, scope.session),
      !hasWritten || isSingleCommand(before.last?.text ?? "", scope.session),
      rest.allSatisfy({ CleanUpLines.isKnown($0.text, scope.session) })
    else { return .notRun(rest.map { Run.ScriptLine(number: $0.number, text: $0.text) }) }
    return try await execute(rest, path, as: current, in: &scope)
  }

  private func isUnchanged(_ lines: [LogicalLines.Line], _ session: Session) -> Bool {
    let copy = RunInProgress(run.unit)
    for line in lines { copy.begin(context.scriptLine(line, session)) }
    return copy.content == run.content
  }

  /// Returns whether a line is one command that runs no other lines: then it was executed as a whole.
  private func isSingleCommand(_ text: String, _ session: Session) -> Bool {
    guard let commands = try? context.read(text, session), commands.count == 1 else { return false }
    return context.commands.declaration(of: commands[0])?.writesToMarket == true
  }

  private func execute(
    _ lines: [LogicalLines.Line], _ path: String, as current: RunInProgress, in scope: inout CommandScope
  ) async throws -> ResumedScript {
    let outer = scope.session.script.run
    scope.session.script.run = current
    scope.session.script.stack.append(ScriptFrame(name: run.unit.text, path: path, arguments: []))
    defer {
      scope.session.script.run = outer
      scope.session.script.stack.removeLast()
    }
    for line in lines {
      if Task.isCancelled || context.interruption.isRequested { return .failed(.interrupted) }
      current.begin(context.scriptLine(line, scope.session))
      var status = ExitStatus.success
      do {
        status = try await LineRunner(context).run(line.text, in: &scope).status
      } catch {
        status = context.tell(error, scope.session)
      }
      if status != .success {
        context.printLocation(of: line.text, at: line.number, in: run.unit.text, scope.session)
        return .failed(status)
      }
    }
    let failure = await CleanUpLines(context).run(from: scope.session.script.stack.count, in: &scope)
    return failure.map { .failed($0.status) } ?? .complete
  }
}

extension CommandContext {
  /// Returns a line of a script as the journal records it: only its first word if it may contain a secret or a token.
  func scriptLine(_ line: LogicalLines.Line, _ session: Session) -> Run.ScriptLine {
    let commands = try? read(line.text, session)
    let isOpen =
      commands.map { !$0.contains(where: sendsAsTyped) } ?? false
    if isOpen, !holdsSecret(line.text, session) { return Run.ScriptLine(number: line.number, text: line.text) }
    return Run.ScriptLine(number: line.number, text: CommandContext.firstWord(of: line.text))
  }

  /// Returns whether a command sends its text as it was typed, which may contain a token that isn't known to be a secret.
  func sendsAsTyped(_ command: ParsedCommand) -> Bool {
    commands.declaration(of: command)?.traits.contains(.sendsAsTyped) == true
  }

  /// Returns the first word of a line, with `…` in place of the others.
  static func firstWord(of line: String) -> String {
    line.trimmed.split(separator: " ").first.map { String($0) + " …" } ?? ""
  }
}
