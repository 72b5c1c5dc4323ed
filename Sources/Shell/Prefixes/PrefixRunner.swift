import CommandLanguage
import Commands
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// The prefixes of a command, checked against each other and against the command before it runs.
package struct PrefixRunner {
  let prepared: PreparedCommand
  private let words: [CommandPrefix]

  /// - Throws: `ParseError` for a prefix that the command doesn't support, for two that exclude each other, and for an
  ///   error that only the command can detect.
  init(_ invocation: ParsedCommand, _ commands: CommandRegistry) throws {
    prepared = PreparedCommand(
      command: try commands.command(invocation), invocation: invocation,
      declaration: commands.declaration(of: invocation))
    words = invocation.prefixes
    try check()
  }

  /// Runs the command as its prefixes require.
  ///
  /// - Throws: The errors of the command, or of building its requests if they are only printed.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    if printsSwift { return try await CurlPrefix(prepared, asSwift: true).run(in: &scope) }
    if words.contains(.curl) { return try await CurlPrefix(prepared).run(in: &scope) }
    return try await scope.with(words.contains(.trace) ? TracePrefix(scope).context : scope.context) { scope in
      if words.contains(.time) { return try await TimePrefix(prepared).run(in: &scope) }
      if let watchInterval { return try await WatchPrefix(prepared, every: watchInterval).run(in: &scope) }
      return try await prepared.run(in: &scope)
    }
  }

  /// A Boolean value that indicates that the requests are printed as Swift code.
  private var printsSwift: Bool { words.contains(.swift) && !(prepared.command is any SwiftPrintingCommand) }

  private var watchInterval: Int? {
    for case .watch(let seconds) in words { return seconds }
    return nil
  }

  private func check() throws(ParseError) {
    let printing = words.contains(.curl) ? "curl" : printsSwift ? "swift" : nil
    if let printing, words.contains(.time) || words.contains(.trace) || watchInterval != nil {
      throw ParseError(
        LocalizedText(
          "\(.command(printing)) sends nothing, so there is nothing to time, trace or watch.",
          ko: "\(.command(printing), .topic) 아무것도 보내지 않으므로 측정하거나 추적하거나 반복할 것이 없습니다."))
    }
    if let printing, prepared.command is any StaticallyCheckable {
      throw ParseError(
        LocalizedText(
          "Put \(.command(printing)) directly before the command to print, not before \(.command(prepared.invocation.command)).",
          ko: "\(.command(printing), .topic) \(.command(prepared.invocation.command), .subject) 아니라 보낼 명령 바로 앞에 둡니다."))
    }
    if words.contains(.curl), words.contains(.swift) {
      throw ParseError(
        LocalizedText(
          "\(.command("curl")) and \(.command("swift")) cannot be combined.",
          ko: "\(.command("curl"), .with) \(.command("swift"), .topic) 함께 쓸 수 없습니다."))
    }
    guard watchInterval != nil else { return }
    if words.contains(.time) {
      throw ParseError(
        LocalizedText(
          "\(.command("time")) and \(.command("watch")) cannot be combined.",
          ko: "\(.command("time"), .with) \(.command("watch"), .topic) 함께 쓸 수 없습니다."))
    }
    if prepared.invocation.clauses.isRedirected {
      throw ParseError(
        LocalizedText(
          "The output of \(.command("watch")) never ends, so it cannot be saved to a file or piped.",
          ko: "\(.command("watch"))의 출력은 끝없이 이어지므로 파일이나 프로그램에 넘기지 않습니다."),
        suggestion: LocalizedText(
          "You can redirect the whole program instead: \(.command("openmarket -c 'watch 10 ls' > changes.txt"))",
          ko: "프로그램 전체의 출력은 어디로든 보낼 수 있습니다: \(.command("openmarket -c 'watch 10 ls' > changes.txt"))"))
    }
    if prepared.command.writes {
      throw ParseError(
        LocalizedText(
          "watch cannot repeat a command that changes products. Nothing was sent.",
          ko: "변경 명령은 반복하지 않습니다. 아무것도 보내지 않았습니다."),
        suggestion: LocalizedText("For example: \(.command("watch 10 ls"))", ko: "예: \(.command("watch 10 ls"))"))
    }
    if prepared.declaration?.producesData != true {
      throw ParseError(
        LocalizedText(
          "\(.command(prepared.invocation.command)) has no output to watch.",
          ko: "\(.command(prepared.invocation.command)) 명령은 반복해서 볼 내용이 없습니다."))
    }
  }
}

/// A parsed command with its invocation, which writes its report to the destination of the line.
package struct PreparedCommand {
  package let command: any Command
  package let invocation: ParsedCommand
  package let declaration: CommandDeclaration?

  /// Runs the command and writes its report.
  ///
  /// The outcome of writes matters more than their report: an exit status other than 0 stays the same if the report can't
  /// be written.
  ///
  /// - Throws: The errors of the command, and of `deliver`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let result = try await command.run(in: &scope)
    do {
      try await deliver(result, in: scope)
    } catch let error as OutputError where result.status != .success {
      if error != .closed { throw CommandError(result.status, CommandError(error).message) }
    } catch let error as FileError where result.status != .success {
      throw CommandError(result.status, CommandError(error).message)
    }
    return result
  }

  /// Writes the report of a result, unless its rows were already written.
  ///
  /// - Throws: `FileError` and `OutputError` if the report can't be written; `CommandError` for a program that fails.
  package func deliver(_ result: CommandResult, in scope: CommandScope) async throws {
    if result.wasStreamed || result.error != nil { return }
    try await ReportWriter(clauses, scope, pages: !writesOne(result.report))
      .deliver(result.report)
  }

  /// Returns whether the report is the product after a write, which is shown without a pager.
  private func writesOne(_ report: Report) -> Bool {
    guard case .product = report.data else { return false }
    return declaration?.writesToMarket == true
  }

  /// The output clauses.
  ///
  /// A command that has no data prints plain text in every format.
  var clauses: Clauses {
    declaration?.producesData == false
      ? Clauses(format: .table, pipe: invocation.clauses.pipe) : invocation.clauses
  }

  package var traits: CommandDeclaration.Traits { declaration?.traits ?? [] }
}

/// The prefix `time`, which prints the duration of each request of a command after its data.
struct TimePrefix {
  private let prepared: PreparedCommand

  init(_ prepared: PreparedCommand) { self.prepared = prepared }

  func run(in scope: inout CommandScope) async throws -> CommandResult {
    let log = TimingLog()
    let start = ContinuousClock.now
    do {
      return try await scope.with(scope.context.through { TimedTransport($0, into: log) }) { scope in
        let result = try await prepared.command.run(in: &scope)
        let drawing = ContinuousClock.now
        try await prepared.deliver(result, in: scope)
        let draw = result.error == nil ? drawing.duration(to: .now) : nil
        report(log, draw: draw, whole: start.duration(to: .now), in: scope)
        return result
      }
    } catch {
      report(log, draw: nil, whole: start.duration(to: .now), in: scope)
      throw error
    }
  }

  private func report(_ log: TimingLog, draw: Duration?, whole: Duration, in scope: CommandScope) {
    let options = scope.messageOptions
    let report = Report.rows(TimingTable.of(log, draw: draw, whole: whole))
    scope.context.program.console.writeMessage(TerminalRenderer().render(report, options))
  }
}

/// The prefix `trace`, which prints every exchange to standard error with secrets redacted.
struct TracePrefix {
  private let session: Session
  private let plain: CommandContext

  init(_ scope: CommandScope) {
    self.session = scope.session
    plain = scope.context
  }

  /// The context whose transport prints every exchange.
  var context: CommandContext {
    let options = CommandScope(session, plain).messageOptions
    let console = plain.program.console
    let secrets = session.secrets
    return plain.observing { console.writeMessage(TraceRenderer($0, hiding: secrets).render(options)) }
  }
}
