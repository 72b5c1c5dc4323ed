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

/// Runs the commands of a line in order against a session that is handed over; the first that fails ends the line.
///
/// `Shell.run` begins here, and so does every command that runs other lines: `source`, `let x = new …`, `assert status`.
struct LineRunner {
  private let context: Context
  private let isRecording: Bool

  /// With `isRecording` the commands become part of what `save` writes; those that another command runs do not.
  init(_ context: Context, isRecording: Bool = false) {
    self.context = context
    self.isRecording = isRecording
  }

  /// What was learnt before a failure (a listing, a finished half of a batch) stays in `session`.
  ///
  /// - Parameter mode: of the command that holds the line; what is dry there is dry here.
  /// - Returns: the execution of the last command.
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

  /// What was pasted as a line of ours; where it stands for a call of the edition, the command that it means is told.
  private func ours(_ line: String, _ session: Session) async throws -> String {
    guard let pasted = try await PastedLine.read(line, session, in: context) else { return line }
    if pasted.isMeant {
      context.say(.note("means: \(.command(pasted.line))", ko: "의미: \(.command(pasted.line))"), session)
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
    // What was in flight has come to its end; nothing more is begun. Only who wants to leave wants it all the more.
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
      // What was only shown was not done; what stands behind it on the line is not its business.
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

  /// How the line is written here, for a person who typed it out of habit of another program.
  private func tellMeaning(_ invocation: Invocation, _ session: Session) {
    guard isRecording, let meaning = invocation.meaning, context.console.errorIsTerminal, session.settings.tips else {
      return
    }
    context.say(.note("Read as \(.command(meaning))", ko: "\(.command(meaning), .with) 같습니다."), session)
  }

  /// A line that is run by a command that is itself dry writes nothing either.
  private static func mode(of invocation: Invocation, within outer: Execution.Mode) -> Execution.Mode {
    if invocation.prefixes.contains(.curl) || invocation.prefixes.contains(.swift) { return .curl }
    return invocation.prefixes.contains(.dry) ? .dry : outer
  }

  /// A word that means one thing in one edition and another in the next waits until it is known which one is spoken.
  private func learnEdition(for line: String, _ session: inout Session) async throws {
    guard session.server.edition == nil, session.server.url != nil else { return }
    let texts = [line] + (session.frames.last?.arguments ?? []) + session.variables.values.map(\.text)
    if texts.contains(where: FieldNames.dependsOnEdition) { _ = try await context.market(&session) }
  }

  /// The command with what stands in front of it, checked against each other.
  func prefixes(_ invocation: Invocation) throws -> Prefixes { try Prefixes(turn(invocation, context)) }

  private func turn(_ invocation: Invocation, _ context: Context) throws -> CommandExecution {
    CommandExecution(command: try context.commands.command(invocation), invocation: invocation, context: context)
  }

  /// After such a command no page is as it was; one with something in front wants its own requests.
  private func mayWrite(_ invocation: Invocation) -> Bool {
    context.commands.declaration(of: invocation)?.writes != false || !invocation.prefixes.isEmpty
  }

  /// What the command had to show; nothing where a prefix showed something else.
  private func run(
    _ invocation: Invocation, _ session: inout Session, _ execution: inout Execution, _ note: StatusNote
  ) async throws -> Report {
    // Before the command may set another: what one was logged in with stays secret.
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
      label: LocalizedText("waiting for the server", ko: "서버의 응답을 기다리는 중")[session.settings.tongue].plain)
    defer { context.spinner.close() }
    if let file = invocation.clauses.file {
      try await UserFile(file, context).admit(replacing: invocation.clauses.replaces, session)
    }
    if mayWrite(invocation) { await context.ahead.drop() }
    defer { session.status = note.status ?? session.status }
    try await prefixes.take(&session, &execution)
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

  /// Says what the requests of a command met besides its result, unless nothing may be said here: then the command that
  /// runs this line says it.
  private func sayRemarks(_ session: Session) {
    for trouble in [context.calls?.trouble(), context.versions?.trouble()] {
      if let trouble { context.say(trouble, session) }
    }
    if let muted = context.console as? MutedConsole, !muted.keepsWords { return }
    if let retries = context.requests.takeRetries() { context.say(retries, session) }
    if let host = context.plainHTTP.takeUnwarnedHost() {
      context.say(
        .warning(
          "The connection to \(.value(host)) is plain http; everyone on the way can read along.",
          ko: "\(.value(host)) 연결은 암호화되지 않은 http라 중간에서 누구나 볼 수 있습니다."), session)
    }
  }

  /// For `explain`, which is asked about what went before it.
  private func keepRefusal(
    of invocation: Invocation, _ error: any Error, _ note: StatusNote, _ session: inout Session
  ) {
    guard context.commands.declaration(of: invocation)?.traits.contains(.asksAboutRefusal) != true else { return }
    let keeper = ExchangeKeeper(session.credentials, now: context.now)
    if let exchange = note.refused { keeper.keep(exchange) }
    // What the command's own output said is not said again.
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
    // `let x = new …` prints nothing, and has seen what it made all the same.
    let captured = session.made.count > made ? session.shown?.data : nil
    session.deeds.add(
      CommandRecord(
        number: session.deeds.next, line: context.holdsSecret(line, session) ? nil : line,
        command: invocation.command,
        code: code, status: status, sight: RecordedOutput(report.data ?? captured, session),
        made: Array(session.made.dropFirst(made)), isExtreme: execution.isExtreme))
  }
}

/// The lines that commands hold are run as typed ones are; only `save` does not write them again.
package struct LinesOfCommands: NestedLines {
  package init() {}

  /// - Throws: what the first command that fails throws.
  @discardableResult
  package func run(
    _ line: String, _ session: inout Session, _ mode: Execution.Mode, in context: Context
  ) async throws -> Execution {
    try await LineRunner(context).run(line, &session, mode)
  }

  /// - Throws: `ParseError` for the first thing that is wrong; what looking into the scripts it names throws.
  package func check(_ line: String, _ session: inout Session, in context: Context) throws {
    try ScriptChecker(context).check(line, &session)
  }

  /// - Throws: `FileError`; what the first line that fails throws; `Failure` for a script that runs itself.
  package func run(
    script: ScriptReference, _ session: inout Session, _ mode: Execution.Mode, in context: Context
  ) async throws {
    try await NestedScript(script, context).run(&session, mode)
  }

  /// - Throws: `FileError`; the first thing that is wrong with a line.
  package func check(script: ScriptReference, _ session: inout Session, in context: Context) throws {
    try NestedScript(script, context).check(&session)
  }
}
