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
package struct LineRunner: LineEvaluator {
  /// A Boolean value that indicates that `save` includes the commands, as it does those that were typed.
  private let isRecording: Bool

  package init(isRecording: Bool = false) { self.isRecording = isRecording }

  /// Runs a line, and returns the result of its last command.
  ///
  /// All commands are read before the first one runs, and the first that fails ends the line. Changes made before, such as a
  /// listing or a part of a batch, stay in the session. Nested commands of a dry run are dry runs.
  ///
  /// - Throws: The error of the first command that fails.
  package func run(_ typed: String, in scope: inout CommandScope) async throws -> CommandResult {
    var last = CommandResult()
    let line = try await translated(typed, in: scope)
    let segments = try scope.context.program.commands.grammar.segments(of: line)
    if segments.count > 1 {
      var trial = scope
      try ScriptChecker().checkWords(of: segments, of: line, in: &trial)
    }
    for (index, segment) in segments.enumerated() {
      do {
        for command in try scope.grammar.commands(of: segment, in: line) {
          let outer = scope.references
          defer { scope.references = outer }
          last = try await execute(try await read(command.source, of: command.line, in: &scope), in: &scope)
          if scope.session.hasEnded || !last.isSuccess { break }
        }
      } catch {
        sayRest(segments[(index + 1)...], in: scope)
        throw error
      }
      if !last.isSuccess { sayRest(segments[(index + 1)...], in: scope) }
      if scope.session.hasEnded || !last.isSuccess { break }
    }
    return last
  }

  /// Reports the commands of a line that an error leaves out, where later lines run all the same (`--keep-going`).
  private func sayRest(_ rest: ArraySlice<CommandSource>, in scope: CommandScope) {
    guard scope.session.script.continuesOnError, !rest.isEmpty, !scope.context.program.interruption.isRequested else {
      return
    }
    let text = rest.map(\.text).joined(separator: "; ")
    scope.say(.note("The rest of the line was not run: \(.command(text))", ko: "줄의 나머지는 실행하지 않았습니다: \(.command(text))"))
  }

  /// Returns the line, or for a pasted `curl` command the equivalent one, which is printed if it is a product command.
  private func translated(_ line: String, in scope: CommandScope) async throws -> String {
    guard let pasted = try await PastedCurl.translate(line, in: CommandScope(scope.session, scope.context)) else {
      return line
    }
    if pasted.isProductCommand {
      scope.say(.note("same as: \(.command(pasted.line))", ko: "같은 명령: \(.command(pasted.line))"))
    }
    return pasted.line
  }

  /// Reads a command, after requesting the edition if the line contains a word whose meaning depends on it.
  private func read(
    _ segment: CommandSource, of line: String, in scope: inout CommandScope
  ) async throws -> ParsedCommand {
    if scope.session.server.dialect == nil, scope.session.server.url != nil {
      let texts = [line] + (scope.session.script.arguments ?? []) + scope.session.variables.values.map(\.text)
      if texts.contains(where: FieldNameTable.dependsOnEdition) { _ = try await scope.marketClient() }
    }
    let session = scope.session
    var names: [String] = []
    do {
      let command = try scope.read(segment, of: line) {
        names.append($0)
        return session.value(of: $0)
      }
      // A nested line is decided by the references of the line around it, too.
      scope.references += names.compactMap(session.reference)
      return command
    } catch {
      throw scope.context.program.interruption.isRequested ? CancellationError() : error
    }
  }

  /// Executes a command with its prefixes, writes its report, and records its result for `save` and its failure for
  /// `explain`.
  private func execute(_ invocation: ParsedCommand, in scope: inout CommandScope) async throws -> CommandResult {
    // The write in flight is complete, and no other command is started. Only `quit` still runs.
    let declaration = scope.context.program.commands.declaration(of: invocation)
    if scope.context.program.interruption.isRequested, declaration?.traits.contains(.endsSession) != true {
      throw CancellationError()
    }
    sayMeaning(invocation, in: scope)
    let observer = LastResponseObserver()
    let made = scope.session.createdProductIDs.count
    let outer = (scope.mode, scope.output)
    defer { (scope.mode, scope.output) = outer }
    scope.mode = LineRunner.mode(of: invocation, within: scope.mode)
    scope.output = CommandOutput(
      invocation.clauses, streamsRows: invocation.prefixes.allSatisfy { $0 == .time })
    var result: CommandResult
    do {
      configureRequests(in: scope)
      defer { sayRemarks(in: scope) }
      let prepared = try PreparedCommand(invocation, scope.context.program.commands)
      let spinner = showSpinner(in: scope)
      defer { spinner.disable() }
      try await admit(prepared, in: scope)
      defer { scope.session.last.httpStatus = observer.status ?? scope.session.last.httpStatus }
      if prepared.command.writes, scope.session.server.access.value == .readWrite {
        try await scope.resolveSecret()
      }
      let observed = scope.context.observing { observer.note($0) }
      do {
        result = try await scope.with(observed) { scope in try await prepared.run(in: &scope) }
      } catch MarketError.notLoggedIn(let missing)
        where missing == [.secret] && scope.session.credentials.secret == nil
        && scope.session.server.secretCommand != nil
      {
        // A read that needs the secret. Nothing was sent.
        try await scope.resolveSecret()
        result = try await scope.with(observed) { scope in try await prepared.run(in: &scope) }
      }
      finish(&result, of: prepared, status: observer.status, in: &scope)
    } catch {
      result = CommandResult(error: error)
    }
    return try await complete(result, of: invocation, observer, made: made, in: &scope)
  }

  /// Records the result of a command, and returns it.
  ///
  /// - Parameters:
  ///   - result: The result, whose error isn't printed yet.
  ///   - invocation: The command.
  ///   - observer: The responses to the command.
  ///   - made: The number of products that the session had created before it.
  ///   - scope: The scope of the command.
  /// - Throws: The error of the result, with what the session knows about its cause; `RunRedirection`.
  private func complete(
    _ result: CommandResult, of invocation: ParsedCommand, _ observer: LastResponseObserver, made: Int,
    in scope: inout CommandScope
  ) async throws -> CommandResult {
    var result = result
    if let redirection = result.error as? RunRedirection { throw redirection }
    guard let error = result.error else {
      if result.isSuccess, let status = observer.status, (200..<300).contains(status) {
        scope.session.server.isEditionProven = true
      }
      // A line that was only displayed isn't recorded, nor is anything after it.
      if !result.isSuccess || !result.wasOnlyShown {
        record(invocation, result: result, status: observer.status, made: made, in: &scope)
      }
      if !result.isSuccess { recordFailure(of: invocation, nil, observer, in: &scope) }
      return result
    }
    let known = error is CurrentVendorUnknownError ? CommandError.withoutVendor(scope.session) : error
    let explained = UnusedProxy(scope.context.program.environment).explained(
      await scope.explainingEdition(known), of: invocation.text, scope.session)
    result.status = CommandError.exitStatus(of: explained)
    record(invocation, result: result, status: observer.status, made: made, in: &scope)
    // Ctrl-C explains itself, and ends a command that follows the requests of an app.
    if result.status != .interrupted || observer.failed != nil {
      recordFailure(of: invocation, CommandError(describing: explained).message, observer, in: &scope)
    }
    throw explained
  }

  /// Prints the equivalent syntax of a line that follows the habit of another program.
  private func sayMeaning(_ invocation: ParsedCommand, in scope: CommandScope) {
    guard isRecording, let meaning = invocation.canonicalText, scope.context.program.console.errorIsTerminal,
      scope.session.settings.tips
    else { return }
    scope.say(.note("Interpreted as \(.command(meaning))", ko: "\(.command(meaning), .with) 같습니다."))
  }

  /// Returns the mode of a command.
  ///
  /// A command that is nested in a dry run is a dry run.
  private static func mode(of invocation: ParsedCommand, within outer: CommandScope.Mode) -> CommandScope.Mode {
    if invocation.prefixes.contains(.curl) || invocation.prefixes.contains(.swift) { return .curl }
    return invocation.prefixes.contains(.dry) ? .dry : outer
  }

  /// Prepares what requests of the session need: the secrets that are redacted, the records, the decisions about plain
  /// `http`.
  ///
  /// It is done before the command can replace the secrets, so that the old ones are still redacted.
  private func configureRequests(in scope: CommandScope) {
    scope.context.stores.remember(scope.session.secrets)
    scope.context.stores.recording.exchanges?.configure(scope.session)
    let http = scope.session.server.http
    scope.context.network.plainHTTP.follow(
      allowsAllHosts: http == Sourced(.allow, .option),
      profileHost: http == Sourced(.allow, .profile) ? scope.session.server.plainHTTPHost : nil,
      alwaysAsks: http == Sourced(.ask, .profile))
  }

  /// Returns the spinner, which is shown while the command waits.
  private func showSpinner(in scope: CommandScope) -> Spinner {
    let spinner = scope.context.program.spinner
    let language = scope.session.settings.language
    spinner.enable(
      plain: scope.session.settings.ascii,
      label: LocalizedText("waiting for the server", ko: "서버의 응답을 기다리는 중")[language].plain,
      work: LocalizedText("working", ko: "작업 중")[language].plain)
    scope.context.program.interruption.shutdown.observeLending { spinner.setHidden($0) }
    return spinner
  }

  /// Checks, before a command reads anything, whether its output and its writes are allowed, and whether its line is that of
  /// an interrupted run.
  ///
  /// - Throws: `CommandError` for a file that must not be overwritten and for references to another market; the errors of
  ///   `RunAdmission.admitUnit`.
  private func admit(_ prepared: PreparedCommand, in scope: CommandScope) async throws {
    let invocation = prepared.invocation
    if let file = invocation.clauses.file {
      if invocation.clauses.documentForm == .workbook { try WorkbookWriter.checkLibrary() }
      try await ProtectedOutputFile(file, scope.context).confirmOverwrite(
        replacing: invocation.clauses.overwrites, scope.session)
    }
    if prepared.command.writes { try CommandError.throwIfOfOtherMarket(scope.references, scope.session.market) }
    if let current = scope.session.script.run, current.unit.kind == .line,
      prepared.declaration?.writesToMarket == true, !RunUnit.isResume(invocation)
    {
      try await RunAdmission(at: scope.session.marketLogin, isAgain: invocation.has("again"), in: scope).admitUnit()
    }
    // Prefetched pages are stale after a write, and a command with a prefix sends its own requests.
    if prepared.declaration?.writesToMarket != false || !invocation.prefixes.isEmpty {
      await scope.context.network.pagePrefetch.invalidate()
    }
  }

  /// Prints the closing messages of a result, and stores its output and the reason of its exit status.
  private func finish(
    _ result: inout CommandResult, of prepared: PreparedCommand, status: Int?, in scope: inout CommandScope
  ) {
    for message in result.closingMessages { scope.say(message) }
    if result.error != nil { return }
    if result.report.data != nil || result.wasStreamed {
      scope.session.last.output = LastOutput(
        data: result.report.data,
        format: ReportWriter(prepared.clauses, CommandScope(scope.session, scope.context)).format)
    }
    if !result.isSuccess, result.reason == nil {
      result.reason = CommandError.ending(result.status, status: status).message
    }
  }

  /// Prints remarks about the requests of a command, unless output is muted.
  ///
  /// Then the command that runs this line prints them.
  private func sayRemarks(in scope: CommandScope) {
    let context = scope.context
    for warning in [
      context.stores.recording.exchanges?.takeWarning(), context.stores.recording.snapshots?.takeWarning(),
    ] {
      if let warning { scope.say(warning) }
    }
    if let reset = MarketResetNotice(scope.session, markets: context.network.markets, stores: context.stores).take() {
      scope.say(reset)
    }
    if let muted = context.program.console as? MutedConsole, !muted.forwardsMessages { return }
    if let retries = context.stores.recording.log.takeRetries() { scope.say(retries) }
    if let host = context.network.plainHTTP.takeUnwarnedHost() {
      scope.say(
        .warning(
          "The connection to \(.value(host)) is not encrypted (http). Others on the network can read the data.",
          ko: "\(.value(host)) 연결은 암호화되지 않은 http입니다. 네트워크의 다른 사람이 데이터를 읽을 수 있습니다."))
    }
  }

  /// Stores a failure for `explain`.
  ///
  /// `message` is `nil` if the command already printed it, because it isn't repeated.
  private func recordFailure(
    of invocation: ParsedCommand, _ message: Message?, _ observer: LastResponseObserver, in scope: inout CommandScope
  ) {
    guard scope.context.program.commands.declaration(of: invocation)?.traits.contains(.explainsLastFailure) != true
    else {
      return
    }
    let recorder = ExchangeCollector(scope.session.credentials, now: scope.context.clock.now)
    if let exchange = observer.failed { recorder.add(exchange) }
    scope.session.last.failure = FailedCommand(
      line: scope.holdsSecret(invocation.text) ? nil : invocation.text, message: message,
      exchange: recorder.exchanges.last)
  }

  private func record(
    _ invocation: ParsedCommand, result: CommandResult, status: Int?, made: Int, in scope: inout CommandScope
  ) {
    guard isRecording else { return }
    let line = result.equivalentLine ?? invocation.text
    // `let x = new …` prints nothing, but the created product is part of the record.
    let captured = scope.session.createdProductIDs.count > made ? scope.session.last.output?.data : nil
    let report = result.isSuccess && !result.wasStreamed ? result.report : .empty
    scope.session.commandHistory.add(
      CommandRecord(
        number: scope.session.commandHistory.next, line: scope.holdsSecret(line) ? nil : line,
        command: invocation.command,
        code: result.status, status: status, output: RecordedOutput(report.data ?? captured, scope.session),
        made: Array(scope.session.createdProductIDs.dropFirst(made)), hasOutliers: result.hasOutliers))
  }
}

extension LineRunner {
  /// - Throws: `ParseError` for the first error in the line.
  package func check(_ line: String, in scope: inout CommandScope) throws -> CommandResult {
    try ScriptChecker().check(line, in: &scope)
  }

  /// - Throws: `FileError`; `CommandError` for a script that runs itself.
  package func run(script: ScriptReference, in scope: inout CommandScope) async throws -> CommandResult {
    try await NestedScript.run(script, in: &scope)
  }

  /// - Throws: `JournalError` if the log can't be read; `CancellationError`.
  package func resume(
    _ run: Run, as current: RunInProgress, in scope: inout CommandScope
  ) async throws -> ResumedScript {
    try await ScriptResumption(run).execute(as: current, in: &scope)
  }

  /// - Throws: `FileError`; `CommandError` for a script that runs itself.
  package func check(script: ScriptReference, in scope: inout CommandScope) throws -> CommandResult {
    try NestedScript.check(script, in: &scope)
  }
}

extension LineRunner {
  /// Runs a line of a script, and returns its failure, which was printed with its position, or `nil`.
  ///
  /// Nothing is printed for a closed output, which is no failure.
  func run(_ line: ScriptLine, of script: String, in scope: inout CommandScope) async -> CommandResult? {
    do {
      return located(try await run(line.usableText, in: &scope), at: line, of: script, in: scope)
    } catch {
      return located(CommandResult(error: error), at: line, of: script, in: scope)
    }
  }

  /// Checks a line of a script, and returns its failure as `run` does.
  func check(_ line: ScriptLine, of script: String, in scope: inout CommandScope) -> CommandResult? {
    do {
      return located(try check(line.usableText, in: &scope), at: line, of: script, in: scope)
    } catch {
      return located(CommandResult(error: error), at: line, of: script, in: scope)
    }
  }

  private func located(
    _ result: CommandResult, at line: ScriptLine, of script: String, in scope: CommandScope
  ) -> CommandResult? {
    var failure = CommandResult(.empty, status: result.status)
    failure.reason = result.reason
    if let error = result.error {
      (failure.status, failure.reason) = (scope.report(error), CommandError(describing: error).message)
    }
    if failure.isSuccess { return nil }
    scope.printLocation(of: try? line.usableText, at: line.number, in: script)
    return failure
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
  /// The last exchange when the line failed.
  private let exchange: Exchange?

  init(_ line: String, _ scope: CommandScope) {
    self.line = line
    self.scope = scope
    exchange = scope.context.stores.recording.log.last
  }

  /// The text, or `nil` if nothing was sent.
  ///
  /// Secrets are redacted, and long bodies are truncated.
  var text: String? {
    if let response = namedResponse { return scope.context.stores.secrets.mask(response.described) }
    guard let exchange else { return nil }
    var options = scope.messageOptions
    (options.colors, options.isTerminal) = (false, false)
    return TraceRenderer(exchange, hiding: scope.context.stores.secrets.all + scope.session.secrets).render(options)
  }

  private var namedResponse: ResponseValue? {
    for match in line.matches(of: /\$([\p{L}_][\p{L}0-9_]*)/) {
      if let response = scope.session.lastResponse(String(match.1)) { return response }
    }
    return nil
  }
}
