import Catalog
import Engine
import Exploration
import Failures
import Language
import Networking
import OrderedCollections
import Platform
import Presentation
import Text

/// Runs the commands of a line in order.
///
/// The first error ends the line.
///
/// Used by `Shell.run` and by every command that runs other lines: `source`, `let x = new …`, `assert status`.
struct LineRunner {
  private let context: Context
  private let isRecording: Bool

  /// Creates a runner.
  ///
  /// If `isRecording` is true, `save` includes the commands; nested commands aren't included.
  init(_ context: Context, isRecording: Bool = false) {
    self.context = context
    self.isRecording = isRecording
  }

  /// Runs a line, and returns the execution of its last command.
  ///
  /// What was learned before an error, such as a listing or a part of a batch, stays in `session`. `mode` is the mode
  /// of the command that contains the line: nested commands of a dry run are dry runs.
  @discardableResult
  func run(_ typed: String, _ session: inout Session, _ mode: Execution.Mode = .write) async throws -> Execution {
    var last = Execution(mode)
    let line = try await ours(typed, session)
    for segment in try context.commands.grammar.segments(of: line) {
      guard let texts = try context.grammar(of: session).unaliased(segment) else {
        last = try await run(segment, of: line, &session, mode)
        if session.isOver { return last }
        continue
      }
      for text in texts {
        for inner in try context.commands.grammar.segments(of: text) {
          last = try await run(inner, of: text, &session, mode)
        }
        if session.isOver { return last }
      }
    }
    return last
  }

  /// Returns the line with pasted text translated to the shell's syntax, and prints the equivalent product command if
  /// there is one.
  private func ours(_ line: String, _ session: Session) async throws -> String {
    guard let pasted = try await PastedLine.read(line, session, in: context) else { return line }
    if pasted.isMeant {
      context.say(.note("same as: \(.command(pasted.line))", ko: "같은 명령: \(.command(pasted.line))"), session)
    }
    return pasted.line
  }

  private func run(
    _ segment: Segment, of line: String, _ session: inout Session, _ outer: Execution.Mode
  ) async throws -> Execution {
    try await learnEdition(for: line, &session)
    let invocation: Invocation
    do {
      invocation = try context.commands.grammar.read(
        segment, of: line, names: session.server.fieldNames, arguments: session.frames.last?.arguments,
        variables: session.value)
    } catch {
      throw context.interruption.isAsked ? CancellationError() : error
    }
    // The write in flight is complete, and no other command is started. Only `quit` still runs.
    let leaves = context.commands.declaration(of: invocation)?.traits.contains(.endsSession)
    if context.interruption.isAsked, leaves != true { throw CancellationError() }
    tellMeaning(invocation, session)
    let note = StatusNote()
    let made = session.made.count
    var execution = Execution(LineRunner.mode(of: invocation, within: outer))
    if context.commands.declaration(of: invocation)?.writes == true {
      execution.line = session.scriptRun?.key(of: invocation.text)
    }
    do {
      let report = try await run(invocation, &session, &execution, note)
      if let status = note.status, (200..<300).contains(status) { session.server.isEditionProven = true }
      // A line that was only displayed isn't recorded, nor is anything after it.
      if !execution.wasOnlyShown { record(invocation, execution, report, .success, note.status, made, &session) }
      return execution
    } catch {
      let explained = await EditionDoubt(context).explained(error, &session)
      record(invocation, execution, .nothing, Failure.code(of: explained), note.status, made, &session)
      keepRefusal(of: invocation, explained, note, &session)
      context.unshown.forget()
      throw explained
    }
  }

  /// Prints the equivalent syntax of a line that follows the habit of another program.
  private func tellMeaning(_ invocation: Invocation, _ session: Session) {
    guard isRecording, let meaning = invocation.meaning, context.console.errorIsTerminal, session.settings.tips else {
      return
    }
    context.say(.note("Interpreted as \(.command(meaning))", ko: "\(.command(meaning), .with) 같습니다."), session)
  }

  /// Returns the mode of a command.
  ///
  /// A command that is nested in a dry run is a dry run.
  private static func mode(of invocation: Invocation, within outer: Execution.Mode) -> Execution.Mode {
    if invocation.prefixes.contains(.curl) || invocation.prefixes.contains(.swift) { return .curl }
    return invocation.prefixes.contains(.dry) ? .dry : outer
  }

  /// Requests the edition if the line contains a word whose meaning depends on it.
  private func learnEdition(for line: String, _ session: inout Session) async throws {
    guard session.server.edition == nil, session.server.url != nil else { return }
    let texts = [line] + (session.frames.last?.arguments ?? []) + session.variables.values.map(\.text)
    if texts.contains(where: FieldNames.dependsOnEdition) { _ = try await context.market(&session) }
  }

  /// Returns the command with its prefixes after checking their combination.
  func prefixes(_ invocation: Invocation) throws -> Prefixes { try Prefixes(turn(invocation, context)) }

  private func turn(_ invocation: Invocation, _ context: Context) throws -> CommandExecution {
    CommandExecution(command: try context.commands.command(invocation), invocation: invocation, context: context)
  }

  /// Returns whether prefetched pages are stale after the command.
  ///
  /// With a prefix, the command sends its own requests.
  private func mayWrite(_ invocation: Invocation) -> Bool {
    context.commands.declaration(of: invocation)?.writes != false || !invocation.prefixes.isEmpty
  }

  /// Runs a command and returns its report, which is empty if a prefix printed something else.
  private func run(
    _ invocation: Invocation, _ session: inout Session, _ execution: inout Execution, _ note: StatusNote
  ) async throws -> Report {
    // Done before the command can replace the secrets, so that the old ones are still redacted.
    context.remember(session.secrets)
    context.calls?.follow(session)
    let http = session.server.http
    context.plainHTTP.follow(
      allowsAllHosts: http == Sourced(.allow, .option),
      profileHost: http == Sourced(.allow, .profile) ? session.server.plainHTTPHost : nil)
    defer { sayRemarks(session) }
    let turn = try turn(invocation, context.through { note.listening(to: $0) })
    let prefixes = try Prefixes(turn)
    context.spinner.open(
      plain: session.settings.ascii,
      label: LocalizedText("waiting for the server", ko: "서버의 응답을 기다리는 중")[session.settings.tongue].plain,
      work: LocalizedText("working", ko: "작업 중")[session.settings.tongue].plain)
    context.interruption.departure.observeLending { [spinner = context.spinner] in spinner.setHidden($0) }
    defer { context.spinner.close() }
    if let file = invocation.clauses.file {
      try await UserFile(file, context).admit(replacing: invocation.clauses.replaces, session)
    }
    if mayWrite(invocation) { await context.ahead.drop() }
    defer { session.status = note.status ?? session.status }
    do {
      try await prefixes.take(&session, &execution)
      sayClosing(&execution, session)
    } catch {
      sayClosing(&execution, session)
      throw error
    }
    context.unshown.markShown()
    let report = turn.delivered.report ?? .nothing
    if let data = report.data {
      session.shown = Shown(data: data, format: OutputSink(turn.clauses, session, context).format)
    }
    if execution.ending != .success {
      let failure = Failure.ending(execution.ending, status: note.status)
      throw ReportedFailure(
        Failure(failure.code, execution.reason ?? failure.message), checks: execution.checks)
    }
    return report
  }

  /// Prints the messages that follow the output of the command.
  private func sayClosing(_ execution: inout Execution, _ session: Session) {
    for message in execution.closingMessages { context.say(message, session) }
    execution.closingMessages = []
  }

  /// Prints remarks about the requests of a command, unless output is muted.
  ///
  /// Then the command that runs this line prints them.
  private func sayRemarks(_ session: Session) {
    for trouble in [context.calls?.trouble(), context.versions?.trouble()] {
      if let trouble { context.say(trouble, session) }
    }
    if let muted = context.console as? MutedConsole, !muted.keepsWords { return }
    if let retries = context.requests.takeRetries() { context.say(retries, session) }
    if let host = context.plainHTTP.takeUnwarnedHost() {
      context.say(
        .warning(
          "The connection to \(.value(host)) is not encrypted (http). Others on the network can read the data.",
          ko: "\(.value(host)) 연결은 암호화되지 않은 http입니다. 네트워크의 다른 사람이 데이터를 읽을 수 있습니다."), session)
    }
  }

  /// Stores a rejection for `explain`.
  private func keepRefusal(
    of invocation: Invocation, _ error: any Error, _ note: StatusNote, _ session: inout Session
  ) {
    guard context.commands.declaration(of: invocation)?.traits.contains(.asksAboutRefusal) != true else { return }
    let keeper = ExchangeKeeper(session.credentials, now: context.now)
    if let exchange = note.refused { keeper.keep(exchange) }
    // What the command already printed isn't repeated.
    let said = error is ReportedFailure ? nil : Failure(describing: error).message
    session.refused = RefusedCommand(
      line: context.holdsSecret(invocation.text, session) ? nil : invocation.text, message: said,
      exchange: keeper.exchanges.last)
  }

  private func record(
    _ invocation: Invocation, _ execution: Execution, _ report: Report, _ code: ExitStatus, _ status: Int?, _ made: Int,
    _ session: inout Session
  ) {
    guard isRecording else { return }
    let line = execution.spelling ?? invocation.text
    // `let x = new …` prints nothing, but the created product is part of the record.
    let captured = session.made.count > made ? session.shown?.data : nil
    session.deeds.add(
      CommandRecord(
        number: session.deeds.next, line: context.holdsSecret(line, session) ? nil : line,
        command: invocation.command,
        code: code, status: status, sight: RecordedOutput(report.data ?? captured, session),
        made: Array(session.made.dropFirst(made)), isExtreme: execution.isExtreme))
  }
}

/// Runs nested lines like typed ones, but doesn't record them for `save`.
package struct LinesOfCommands: NestedLines {
  package init() {}

  /// - Throws: The error of the first command that fails.
  @discardableResult
  package func run(
    _ line: String, _ session: inout Session, _ mode: Execution.Mode, in context: Context
  ) async throws -> Execution {
    try await LineRunner(context).run(line, &session, mode)
  }

  /// - Throws: `ParseError` for the first error in the line; the errors of checking the scripts that it runs.
  package func check(_ line: String, _ session: inout Session, in context: Context) throws {
    try ScriptChecker(context).check(line, &session)
  }

  /// - Throws: `FileError`; the error of the first line that fails; `Failure` for a script that runs itself.
  package func run(
    script: ScriptReference, _ session: inout Session, _ mode: Execution.Mode, in context: Context
  ) async throws {
    try await NestedScript(script, context).run(&session, mode)
  }

  /// - Throws: `FileError`; the first error in a line.
  package func check(script: ScriptReference, _ session: inout Session, in context: Context) throws {
    try NestedScript(script, context).check(&session)
  }
}
