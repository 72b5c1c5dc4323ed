import CommandLanguage
import Commands
import Foundation
import MarketAPI
import MarketOperations
import Networking
import OrderedCollections
import Platform
import Presentation
import ShellRuntime
import Synchronization
import Text
import WriteJournal

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

  /// Runs a line, and returns the result of its last command.
  ///
  /// All commands are read before the first one runs, and the first that fails ends the line. Changes made before, such as a
  /// listing or a part of a batch, stay in the session. Nested commands of a dry run are dry runs.
  func run(_ typed: String, in scope: inout CommandScope) async throws -> CommandResult {
    var last = CommandResult()
    let line = try await translated(typed, scope.session)
    let segments = try context.commands.grammar.segments(of: line)
    if segments.count > 1 {
      var trial = scope
      try ScriptChecker(context).checkWords(of: segments, of: line, in: &trial)
    }
    for (index, segment) in segments.enumerated() {
      do {
        last = try await runCommands(of: segment, of: line, in: &scope)
      } catch {
        tellRest(segments[(index + 1)...], scope.session)
        throw error
      }
      if !last.isSuccess { tellRest(segments[(index + 1)...], scope.session) }
      if scope.session.hasEnded || !last.isSuccess { return last }
    }
    return last
  }

  /// Runs a command, or those that it is an alias for.
  private func runCommands(
    of segment: CommandSource, of line: String, in scope: inout CommandScope
  ) async throws -> CommandResult {
    guard let texts = try context.grammar(of: scope.session).expandingAliases(segment) else {
      return try await run(segment, of: line, in: &scope)
    }
    var last = CommandResult()
    for text in texts {
      for inner in try context.commands.grammar.segments(of: text) {
        last = try await run(inner, of: text, in: &scope)
        if !last.isSuccess { return last }
      }
      if scope.session.hasEnded { return last }
    }
    return last
  }

  /// Reports the commands of a line that an error leaves out, where later lines run all the same (`--keep-going`).
  private func tellRest(_ rest: ArraySlice<CommandSource>, _ session: Session) {
    guard session.script.continuesOnError, !rest.isEmpty, !context.interruption.isRequested else { return }
    let text = rest.map(\.text).joined(separator: "; ")
    context.say(
      .note("The rest of the line was not run: \(.command(text))", ko: "줄의 나머지는 실행하지 않았습니다: \(.command(text))"), session
    )
  }

  /// Returns the line, or for a pasted `curl` command the equivalent one, which is printed if it is a product command.
  private func translated(_ line: String, _ session: Session) async throws -> String {
    guard let pasted = try await PastedCurl.translate(line, in: CommandScope(session, context)) else {
      return line
    }
    if pasted.isProductCommand {
      context.say(.note("same as: \(.command(pasted.line))", ko: "같은 명령: \(.command(pasted.line))"), session)
    }
    return pasted.line
  }

  private func run(
    _ segment: CommandSource, of line: String, in scope: inout CommandScope
  ) async throws -> CommandResult {
    try await learnEdition(for: line, &scope.session)
    let session = scope.session
    let invocation: ParsedCommand
    var names: [String] = []
    do {
      invocation = try context.commands.grammar.read(
        segment, of: line, names: session.server.fieldNames, arguments: session.script.arguments,
        variables: {
          names.append($0)
          return session.value(of: $0)
        })
    } catch {
      throw context.interruption.isRequested ? CancellationError() : error
    }
    let outer = scope.references
    defer { scope.references = outer }
    scope.references = names.compactMap(session.reference)
    return try await run(invocation, in: &scope)
  }

  private func run(_ invocation: ParsedCommand, in scope: inout CommandScope) async throws -> CommandResult {
    // The write in flight is complete, and no other command is started. Only `quit` still runs.
    let declaration = context.commands.declaration(of: invocation)
    if context.interruption.isRequested, declaration?.traits.contains(.endsSession) != true {
      throw CancellationError()
    }
    tellMeaning(invocation, scope.session)
    let observer = LastResponseObserver()
    let made = scope.session.createdProductIDs.count
    let outer = (scope.mode, scope.output)
    defer { (scope.mode, scope.output) = outer }
    scope.mode = LineRunner.mode(of: invocation, within: scope.mode)
    scope.output = CommandOutput(
      invocation.clauses, streamsRows: invocation.prefixes.allSatisfy { $0 == .time })
    var result: CommandResult
    do {
      result = try await execute(invocation, observer, in: &scope)
    } catch {
      result = CommandResult(error: error)
    }
    if let redirection = result.error as? RunRedirection { throw redirection }
    guard let error = result.error else {
      if result.isSuccess {
        if let status = observer.status, (200..<300).contains(status) { scope.session.server.isEditionProven = true }
        // A line that was only displayed isn't recorded, nor is anything after it.
        if !result.wasOnlyShown {
          record(invocation, result: result, status: observer.status, made: made, session: &scope.session)
        }
      } else {
        record(invocation, result: result, status: observer.status, made: made, session: &scope.session)
        keepRefusal(of: invocation, nil, observer: observer, session: &scope.session)
      }
      return result
    }
    let known = error is CurrentVendorUnknownError ? CommandError.withoutVendor(scope.session) : error
    let explained = UnusedProxy(context.environment).explained(
      await EditionDoubt(context).explained(known, &scope.session), of: invocation.text, scope.session)
    result.status = CommandError.exitStatus(of: explained)
    record(invocation, result: result, status: observer.status, made: made, session: &scope.session)
    keepRefusal(
      of: invocation, CommandError(describing: explained).message, observer: observer, session: &scope.session)
    throw explained
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
  private static func mode(of invocation: ParsedCommand, within outer: CommandScope.Mode) -> CommandScope.Mode {
    if invocation.prefixes.contains(.curl) || invocation.prefixes.contains(.swift) { return .curl }
    return invocation.prefixes.contains(.dry) ? .dry : outer
  }

  /// Requests the edition if the line contains a word whose meaning depends on it.
  private func learnEdition(for line: String, _ session: inout Session) async throws {
    guard session.server.dialect == nil, session.server.url != nil else { return }
    let texts = [line] + (session.script.arguments ?? []) + session.variables.values.map(\.text)
    if texts.contains(where: FieldNameTable.dependsOnEdition) { _ = try await context.marketClient(&session) }
  }

  /// Returns the command with its prefixes after checking their combination.
  func prefixes(_ invocation: ParsedCommand) throws -> PrefixRunner { try PrefixRunner(prepare(invocation)) }

  private func prepare(_ invocation: ParsedCommand) throws -> PreparedCommand {
    PreparedCommand(
      command: try context.commands.command(invocation), invocation: invocation,
      declaration: context.commands.declaration(of: invocation))
  }

  /// Checks whether the line is one that did not end, before anything is read for it.
  ///
  /// - Throws: The errors of `RunAdmission.admitUnit`.
  private func admitLine(_ invocation: ParsedCommand, in scope: CommandScope) async throws {
    guard let current = scope.session.script.run, current.unit.kind == .line,
      context.commands.declaration(of: invocation)?.writesToMarket == true, !RunUnit.isResume(invocation),
      let binding = scope.session.destination
    else { return }
    try await RunAdmission(at: binding, isAgain: invocation.has("again"), in: scope).admitUnit()
  }

  /// Returns whether prefetched pages are stale after the command.
  ///
  /// With a prefix, the command sends its own requests.
  private func mayWrite(_ invocation: ParsedCommand) -> Bool {
    context.commands.declaration(of: invocation)?.writesToMarket != false || !invocation.prefixes.isEmpty
  }

  /// Runs a command with its prefixes, and writes its report and its closing messages.
  private func execute(
    _ invocation: ParsedCommand, _ observer: LastResponseObserver, in scope: inout CommandScope
  ) async throws -> CommandResult {
    // Done before the command can replace the secrets, so that the old ones are still redacted.
    context.remember(scope.session.secrets)
    context.recording.exchanges?.configure(scope.session)
    let http = scope.session.server.http
    context.plainHTTP.follow(
      allowsAllHosts: http == Sourced(.allow, .option),
      profileHost: http == Sourced(.allow, .profile) ? scope.session.server.plainHTTPHost : nil,
      alwaysAsks: http == Sourced(.ask, .profile))
    defer { sayRemarks(scope.session) }
    let prepared = try prepare(invocation)
    let prefixes = try PrefixRunner(prepared)
    context.spinner.enable(
      plain: scope.session.settings.ascii,
      label: LocalizedText("waiting for the server", ko: "서버의 응답을 기다리는 중")[scope.session.settings.language].plain,
      work: LocalizedText("working", ko: "작업 중")[scope.session.settings.language].plain)
    context.interruption.shutdown.observeLending { [spinner = context.spinner] in spinner.setHidden($0) }
    defer { context.spinner.disable() }
    if let file = invocation.clauses.file {
      try await ProtectedOutputFile(file, context).confirmOverwrite(
        replacing: invocation.clauses.overwrites, scope.session)
    }
    if prepared.command.writes { try CommandError.throwIfOfOtherMarket(scope.references, scope.session.market) }
    try await admitLine(invocation, in: scope)
    if mayWrite(invocation) { await context.pagePrefetch.invalidate() }
    defer { scope.session.last.httpStatus = observer.status ?? scope.session.last.httpStatus }
    if prepared.command.writes, scope.session.server.access.value == .readWrite {
      try await context.resolveSecret(&scope.session)
    }
    let observed = context.observing { observer.note($0) }
    var result: CommandResult
    do {
      result = try await scope.with(observed) { scope in try await prefixes.run(in: &scope) }
    } catch MarketError.notLoggedIn(let missing)
      where missing == [.secret] && scope.session.credentials.secret == nil && scope.session.server.secretCommand != nil
    {
      // A read that needs the secret. Nothing was sent.
      try await context.resolveSecret(&scope.session)
      result = try await scope.with(observed) { scope in try await prefixes.run(in: &scope) }
    }
    for message in result.closingMessages { context.say(message, scope.session) }
    if result.error != nil { return result }
    if result.report.data != nil || result.wasStreamed {
      scope.session.last.output = LastOutput(
        data: result.report.data, format: ReportWriter(prepared.clauses, CommandScope(scope.session, context)).format)
    }
    if !result.isSuccess, result.reason == nil {
      result.reason = CommandError.ending(result.status, status: observer.status).message
    }
    return result
  }

  /// Prints remarks about the requests of a command, unless output is muted.
  ///
  /// Then the command that runs this line prints them.
  private func sayRemarks(_ session: Session) {
    for warning in [context.recording.exchanges?.takeWarning(), context.recording.snapshots?.takeWarning()] {
      if let warning { context.say(warning, session) }
    }
    if let reset = MarketResetNotice(session, context).take() { context.say(reset, session) }
    if let muted = context.console as? MutedConsole, !muted.forwardsMessages { return }
    if let retries = context.recording.log.takeRetries() { context.say(retries, session) }
    if let host = context.plainHTTP.takeUnwarnedHost() {
      context.say(
        .warning(
          "The connection to \(.value(host)) is not encrypted (http). Others on the network can read the data.",
          ko: "\(.value(host)) 연결은 암호화되지 않은 http입니다. 네트워크의 다른 사람이 데이터를 읽을 수 있습니다."), session)
    }
  }

  /// Stores a failure for `explain`.
  ///
  /// `message` is `nil` if the command already printed it, because it isn't repeated.
  private func keepRefusal(
    of invocation: ParsedCommand, _ message: Message?, observer: LastResponseObserver, session: inout Session
  ) {
    guard context.commands.declaration(of: invocation)?.traits.contains(.explainsLastFailure) != true else { return }
    let recorder = ExchangeCollector(session.credentials, now: context.now)
    if let exchange = observer.failed { recorder.add(exchange) }
    session.last.failure = FailedCommand(
      line: context.holdsSecret(invocation.text, session) ? nil : invocation.text, message: message,
      exchange: recorder.exchanges.last)
  }

  private func record(
    _ invocation: ParsedCommand, result: CommandResult, status: Int?, made: Int, session: inout Session
  ) {
    guard isRecording else { return }
    let line = result.equivalentLine ?? invocation.text
    // `let x = new …` prints nothing, but the created product is part of the record.
    let captured = session.createdProductIDs.count > made ? session.last.output?.data : nil
    let report = result.isSuccess && !result.wasStreamed ? result.report : .empty
    session.commandHistory.add(
      CommandRecord(
        number: session.commandHistory.next, line: context.holdsSecret(line, session) ? nil : line,
        command: invocation.command,
        code: result.status, status: status, output: RecordedOutput(report.data ?? captured, session),
        made: Array(session.createdProductIDs.dropFirst(made)), hasOutliers: result.hasOutliers))
  }
}

/// A line that must not run.
package enum UnusableLine {
  case notText
  case tooLong
  /// A joined line over the maximum length.
  case goesOnTooLong
  /// Reading failed at this line; the value is the `errno`.
  case unreadable(Int32)

  /// The exit status of the script.
  package var code: ExitStatus {
    switch self {
    case .notText, .tooLong, .goesOnTooLong: .usageError
    case .unreadable: .refused
    }
  }

  package var message: Message {
    switch self {
    case .notText:
      .failure("The line is not valid UTF-8. It was not run.", ko: "UTF-8이 아닌 바이트가 있는 줄을 실행하지 않았습니다.")
    case .tooLong:
      .failure("The line is longer than 64 KiB. It was not run.", ko: "줄이 64 KiB보다 길어 실행하지 않았습니다.")
    case .goesOnTooLong:
      .failure(
        "The line is longer than 4 MiB. It was not run.", ko: "줄이 4 MiB 넘게 이어져 실행하지 않았습니다."
      ).next("Check for an unclosed quote.", ko: "닫지 않은 따옴표가 있는지 확인하세요.")
    case .unreadable(let code):
      .failure(
        "Cannot read the rest of the script. It ends here.", ko: "스크립트의 나머지를 읽을 수 없습니다. 여기서 끝냅니다."
      ).because(LocalizedText(same: "\(.foreign(String(cString: strerror(code))))"))
    }
  }
}

/// The status of the last response of a command, and its last exchange that was rejected or had no response.
final class LastResponseObserver: Sendable {
  private let stored = Mutex<(status: Int?, failed: Exchange?)>((nil, nil))

  var status: Int? { stored.withLock { $0.status } }
  var failed: Exchange? { stored.withLock { $0.failed } }

  func note(_ exchange: Exchange) {
    stored.withLock { stored in
      switch exchange.outcome {
      case .success(let response):
        stored.status = response.status
        if response.status >= 400 { stored.failed = exchange }
      case .failure(let failure):
        if failure.reason != .cancelled { stored.failed = exchange }
      }
    }
  }
}

/// The request and response that a failing line refers to, as text for a report.
///
/// A line that names a response (`assert $p.status = 200`) refers to that response, any other line to the last
/// exchange.
struct FailureEvidence {
  private let line: String
  private let scope: CommandScope

  init(_ line: String, _ scope: CommandScope) {
    self.line = line
    self.scope = scope
  }

  /// The text, or `nil` if nothing was sent.
  ///
  /// Secrets are redacted, and long bodies are truncated.
  var text: String? {
    if let response = namedResponse { return scope.context.secrets.mask(response.described) }
    guard let exchange = scope.context.recording.log.last else { return nil }
    var options = scope.messageOptions
    (options.colors, options.isTerminal) = (false, false)
    return TraceRenderer(exchange, hiding: scope.context.secrets.all + scope.session.secrets).render(options)
  }

  private var namedResponse: ResponseValue? {
    for match in line.matches(of: /\$([\p{L}_][\p{L}0-9_]*)/) {
      if let response = scope.session.lastResponse(String(match.1)) { return response }
    }
    return nil
  }
}
