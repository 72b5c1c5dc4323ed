import CommandLanguage
import Commands
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// A command with its invocation and its prefixes, which are checked against each other and against the command before it
/// runs.
package struct PreparedCommand {
  package let command: any Command
  package let invocation: ParsedCommand
  package let declaration: CommandDeclaration?

  /// - Throws: `ParseError` for a prefix that the command doesn't support, for two that exclude each other, and for an
  ///   error that only the command can detect.
  init(_ invocation: ParsedCommand, _ commands: CommandRegistry) throws {
    command = try commands.command(invocation)
    self.invocation = invocation
    declaration = commands.declaration(of: invocation)
    try checkPrefixes()
  }

  /// Runs the command as its prefixes require, and writes its report to the destination of the line.
  ///
  /// The outcome of writes matters more than their report: an exit status other than 0 stays the same if the report can't
  /// be written.
  ///
  /// - Throws: The errors of the command, or of building its requests if they are only printed, and of `deliver`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let prefixes = invocation.prefixes
    if printsSwift { return try await CurlPrefix(self, asSwift: true).run(in: &scope) }
    if prefixes.contains(.curl) { return try await CurlPrefix(self).run(in: &scope) }
    return try await scope.with(prefixes.contains(.trace) ? TracePrefix(scope).context : scope.context) { scope in
      if prefixes.contains(.time) { return try await TimePrefix(self).run(in: &scope) }
      if let watchInterval { return try await WatchPrefix(self, every: watchInterval).run(in: &scope) }
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
  }

  /// A Boolean value that indicates that the requests are printed as Swift code.
  private var printsSwift: Bool { invocation.prefixes.contains(.swift) && !(command is any SwiftPrintingCommand) }

  private var watchInterval: Int? {
    for case .watch(let seconds) in invocation.prefixes { return seconds }
    return nil
  }

  private func checkPrefixes() throws(ParseError) {
    let words = invocation.prefixes
    let printing = words.contains(.curl) ? "curl" : printsSwift ? "swift" : nil
    if let printing, words.contains(.time) || words.contains(.trace) || watchInterval != nil {
      throw ParseError(
        LocalizedText(
          "\(.command(printing)) sends nothing, so there is nothing to time, trace or watch.",
          ko: "\(.command(printing), .topic) 아무것도 보내지 않으므로 측정하거나 추적하거나 반복할 것이 없습니다."))
    }
    if let printing, command is any StaticallyCheckable {
      throw ParseError(
        LocalizedText(
          "Put \(.command(printing)) directly before the command to print, not before \(.command(invocation.command)).",
          ko: "\(.command(printing), .topic) \(.command(invocation.command), .subject) 아니라 보낼 명령 바로 앞에 둡니다."))
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
    if invocation.clauses.isRedirected {
      throw ParseError(
        LocalizedText(
          "The output of \(.command("watch")) never ends, so it cannot be saved to a file or piped.",
          ko: "\(.command("watch"))의 출력은 끝없이 이어지므로 파일이나 프로그램에 넘기지 않습니다."),
        suggestion: LocalizedText(
          "You can redirect the whole program instead: \(.command("openmarket -c 'watch 10 ls' > changes.txt"))",
          ko: "프로그램 전체의 출력은 어디로든 보낼 수 있습니다: \(.command("openmarket -c 'watch 10 ls' > changes.txt"))"))
    }
    if command.writes {
      throw ParseError(
        LocalizedText(
          "watch cannot repeat a command that changes products. Nothing was sent.",
          ko: "변경 명령은 반복하지 않습니다. 아무것도 보내지 않았습니다."),
        suggestion: LocalizedText("For example: \(.command("watch 10 ls"))", ko: "예: \(.command("watch 10 ls"))"))
    }
    if declaration?.producesData != true {
      throw ParseError(
        LocalizedText(
          "\(.command(invocation.command)) has no output to watch.",
          ko: "\(.command(invocation.command)) 명령은 반복해서 볼 내용이 없습니다."))
    }
  }

  /// Writes the report of a result, unless its rows were already written, or an error left it empty.
  ///
  /// - Throws: `FileError` and `OutputError` if the report can't be written; `CommandError` for a program that fails.
  package func deliver(_ result: CommandResult, in scope: CommandScope) async throws {
    if result.wasStreamed || result.error != nil && result.report == .empty { return }
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
