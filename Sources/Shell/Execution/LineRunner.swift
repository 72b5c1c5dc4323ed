import CommandLanguage
import Commands
import Networking
import OrderedCollections
import Platform
import Presentation
import ShellRuntime
import Text

/// Runs the commands of a line in order.
///
/// The first error ends the line.
///
/// Used by `Shell.run` and by every command that runs other lines: `source`, `let x = new …`, `assert status`.
struct LineRunner {
  private let context: CommandContext
  private let isRecording: Bool

  /// Creates a runner.
  ///
  /// If `isRecording` is true, `save` includes the commands; nested commands aren't included.
  init(_ context: CommandContext, isRecording: Bool = false) {
    self.context = context
    self.isRecording = isRecording
  }

  /// Runs a line, and returns the execution of its last command.
  ///
  /// Changes made before an error, such as a listing or a part of a batch, stay in `session`. `mode` is the mode
  /// of the command that contains the line: nested commands of a dry run are dry runs.
  @discardableResult
  func run(_ typed: String, _ session: inout Session, _ mode: Execution.Mode = .write) async throws -> Execution {
    var last = Execution(mode)
    let line = try await ours(typed, session)
    for segment in try context.commands.grammar.segments(of: line) {
      guard let texts = try context.grammar(of: session).expandingAliases(segment) else {
        last = try await run(segment, of: line, &session, mode)
        if session.hasEnded { return last }
        continue
      }
      for text in texts {
        for inner in try context.commands.grammar.segments(of: text) {
          last = try await run(inner, of: text, &session, mode)
        }
        if session.hasEnded { return last }
      }
    }
    return last
  }

  /// Returns the line with pasted text translated to the shell's syntax, and prints the equivalent product command if
  /// there is one.
  private func ours(_ line: String, _ session: Session) async throws -> String {
    guard let pasted = try await ForeignLineTranslator.translate(line, session, in: context) else { return line }
    if pasted.isMeant {
      context.say(.note("same as: \(.command(pasted.line))", ko: "같은 명령: \(.command(pasted.line))"), session)
    }
    return pasted.line
  }

  private func run(
    _ segment: CommandSource, of line: String, _ session: inout Session, _ outer: Execution.Mode
  ) async throws -> Execution {
    try await learnEdition(for: line, &session)
    let invocation: ParsedCommand
    do {
      invocation = try context.commands.grammar.read(
        segment, of: line, names: session.server.fieldNames, arguments: session.scriptStack.last?.arguments,
        variables: session.value)
    } catch {
      throw context.interruption.isRequested ? CancellationError() : error
    }
    // The write in flight is complete, and no other command is started. Only `quit` still runs.
    let leaves = context.commands.declaration(of: invocation)?.traits.contains(.endsSession)
    if context.interruption.isRequested, leaves != true { throw CancellationError() }
    tellMeaning(invocation, session)
    let note = LastResponseObserver()
    let made = session.createdProductIDs.count
    var execution = Execution(LineRunner.mode(of: invocation, within: outer))
    if context.commands.declaration(of: invocation)?.writesToMarket == true {
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
      record(invocation, execution, .empty, CommandError.exitStatus(of: explained), note.status, made, &session)
      keepRefusal(of: invocation, explained, note, &session)
      context.unshown.forget()
      throw explained
    }
  }

  /// Prints the equivalent syntax of a line that follows the habit of another program.
  private func tellMeaning(_ invocation: ParsedCommand, _ session: Session) {
    guard isRecording, let meaning = invocation.canonicalText, context.console.errorIsTerminal, session.settings.tips
    else {
      return
    }
    context.say(.note("Interpreted as \(.command(meaning))", ko: "\(.command(meaning), .with) 같습니다."), session)
  }

  /// Returns the mode of a command.
  ///
  /// A command that is nested in a dry run is a dry run.
  private static func mode(of invocation: ParsedCommand, within outer: Execution.Mode) -> Execution.Mode {
    if invocation.prefixes.contains(.curl) || invocation.prefixes.contains(.swift) { return .curl }
    return invocation.prefixes.contains(.dry) ? .dry : outer
  }

  /// Requests the edition if the line contains a word whose meaning depends on it.
  private func learnEdition(for line: String, _ session: inout Session) async throws {
    guard session.server.edition == nil, session.server.url != nil else { return }
    let texts = [line] + (session.scriptStack.last?.arguments ?? []) + session.variables.values.map(\.text)
    if texts.contains(where: FieldNameTable.dependsOnEdition) { _ = try await context.marketClient(&session) }
  }

  /// Returns the command with its prefixes after checking their combination.
  func prefixes(_ invocation: ParsedCommand) throws -> PrefixRunner { try PrefixRunner(turn(invocation, context)) }

  private func turn(_ invocation: ParsedCommand, _ context: CommandContext) throws -> PreparedCommand {
    PreparedCommand(command: try context.commands.command(invocation), invocation: invocation, context: context)
  }

  /// Returns whether prefetched pages are stale after the command.
  ///
  /// With a prefix, the command sends its own requests.
  private func mayWrite(_ invocation: ParsedCommand) -> Bool {
    context.commands.declaration(of: invocation)?.writesToMarket != false || !invocation.prefixes.isEmpty
  }

  /// Runs a command and returns its report, which is empty if a prefix printed something else.
  private func run(
    _ invocation: ParsedCommand, _ session: inout Session, _ execution: inout Execution, _ note: LastResponseObserver
  ) async throws -> Report {
    // Done before the command can replace the secrets, so that the old ones are still redacted.
    context.remember(session.secrets)
    context.calls?.configure(session)
    let http = session.server.http
    context.plainHTTP.follow(
      allowsAllHosts: http == Sourced(.allow, .option),
      profileHost: http == Sourced(.allow, .profile) ? session.server.plainHTTPHost : nil)
    defer { sayRemarks(session) }
    let prepared = try turn(invocation, context.through { note.listening(to: $0) })
    let prefixes = try PrefixRunner(prepared)
    context.spinner.enable(
      plain: session.settings.ascii,
      label: LocalizedText("waiting for the server", ko: "서버의 응답을 기다리는 중")[session.settings.language].plain,
      work: LocalizedText("working", ko: "작업 중")[session.settings.language].plain)
    context.interruption.shutdown.observeLending { [spinner = context.spinner] in spinner.setHidden($0) }
    defer { context.spinner.disable() }
    if let file = invocation.clauses.file {
      try await ProtectedOutputFile(file, context).confirmOverwrite(replacing: invocation.clauses.overwrites, session)
    }
    if mayWrite(invocation) { await context.pagePrefetch.invalidate() }
    defer { session.lastHTTPStatus = note.status ?? session.lastHTTPStatus }
    do {
      try await prefixes.take(&session, &execution)
      sayClosing(&execution, session)
    } catch {
      sayClosing(&execution, session)
      throw error
    }
    context.unshown.markShown()
    let report = prepared.delivered.report ?? .empty
    if let data = report.data {
      session.lastOutput = LastOutput(data: data, format: ReportWriter(prepared.clauses, session, context).format)
    }
    if execution.ending != .success {
      let failure = CommandError.ending(execution.ending, status: note.status)
      throw ReportedFailure(
        CommandError(failure.exitStatus, execution.reason ?? failure.message), checks: execution.checks)
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
    for trouble in [context.calls?.takeWarning(), context.versions?.takeWarning()] {
      if let trouble { context.say(trouble, session) }
    }
    if let muted = context.console as? MutedConsole, !muted.forwardsMessages { return }
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
    of invocation: ParsedCommand, _ error: any Error, _ note: LastResponseObserver, _ session: inout Session
  ) {
    guard context.commands.declaration(of: invocation)?.traits.contains(.explainsLastFailure) != true else { return }
    let recorder = ExchangeCollector(session.credentials, now: context.now)
    if let exchange = note.refused { recorder.keep(exchange) }
    // What the command already printed isn't repeated.
    let said = error is ReportedFailure ? nil : CommandError(describing: error).message
    session.lastFailure = FailedCommand(
      line: context.holdsSecret(invocation.text, session) ? nil : invocation.text, message: said,
      exchange: recorder.exchanges.last)
  }

  private func record(
    _ invocation: ParsedCommand, _ execution: Execution, _ report: Report, _ code: ExitStatus, _ status: Int?,
    _ made: Int,
    _ session: inout Session
  ) {
    guard isRecording else { return }
    let line = execution.equivalentLine ?? invocation.text
    // `let x = new …` prints nothing, but the created product is part of the record.
    let captured = session.createdProductIDs.count > made ? session.lastOutput?.data : nil
    session.commandHistory.add(
      CommandRecord(
        number: session.commandHistory.next, line: context.holdsSecret(line, session) ? nil : line,
        command: invocation.command,
        code: code, status: status, output: RecordedOutput(report.data ?? captured, session),
        made: Array(session.createdProductIDs.dropFirst(made)), isExtreme: execution.isExtreme))
  }
}
