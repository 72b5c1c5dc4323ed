import Catalog
import Engine
import Language
import Networking
import Presentation
import Text

/// The prefixes of a command, checked against each other and against the command before it runs.
package struct PrefixRunner {
  private let turn: PreparedCommand
  private let words: [CommandPrefix]

  /// - Throws: `ParseError` for a prefix that the command doesn't support, and for two that exclude each other.
  package init(_ turn: PreparedCommand) throws(ParseError) {
    self.turn = turn
    words = turn.invocation.prefixes
    try check()
  }

  /// - Throws: The errors of the command, or of building its requests if they are only printed.
  package func take(_ session: inout Session, _ execution: inout Execution) async throws {
    if words.contains(.swift) { return try await CurlPrefix(turn, asSwift: true).take(&session, &execution) }
    if words.contains(.curl) { return try await CurlPrefix(turn).take(&session, &execution) }
    var turn = turn
    if words.contains(.trace) { turn.context = TracePrefix(session, turn.context).context }
    if words.contains(.time) { return try await TimePrefix(turn).take(&session, &execution) }
    if let watchInterval { return try await WatchPrefix(turn, every: watchInterval).take(&session, &execution) }
    try await turn.take(&session, &execution)
  }

  private var watchInterval: Int? {
    for case .watch(let seconds) in words { return seconds }
    return nil
  }

  private func check() throws(ParseError) {
    let printing = words.contains(.curl) ? "curl" : words.contains(.swift) ? "swift" : nil
    if let printing, words.contains(.time) || words.contains(.trace) || watchInterval != nil {
      throw ParseError(
        LocalizedText(
          "\(.command(printing)) sends nothing, so there is nothing to time, trace or watch.",
          ko: "\(.command(printing), .topic) 아무것도 보내지 않으므로 측정하거나 추적하거나 반복할 것이 없습니다."))
    }
    if let printing, turn.command is any StaticallyCheckable {
      throw ParseError(
        LocalizedText(
          "Put \(.command(printing)) directly before the command to print, not before \(.command(turn.invocation.command)).",
          ko: "\(.command(printing), .topic) \(.command(turn.invocation.command), .subject) 아니라 보낼 명령 바로 앞에 둡니다."))
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
    if turn.invocation.clauses.isRedirected {
      throw ParseError(
        LocalizedText(
          "The output of \(.command("watch")) never ends, so it cannot be saved to a file or piped.",
          ko: "\(.command("watch"))의 출력은 끝없이 이어지므로 파일이나 프로그램에 넘기지 않습니다."),
        suggestion: LocalizedText(
          "You can redirect the whole program instead: \(.command("openmarket -c 'watch 10 ls' > changes.txt"))",
          ko: "프로그램 전체의 출력은 어디로든 보낼 수 있습니다: \(.command("openmarket -c 'watch 10 ls' > changes.txt"))"))
    }
    if turn.command.writes {
      throw ParseError(
        LocalizedText(
          "watch cannot repeat a command that changes products. Nothing was sent.",
          ko: "변경 명령은 반복하지 않습니다. 아무것도 보내지 않았습니다."),
        suggestion: LocalizedText("For example: \(.command("watch 10 ls"))", ko: "\(.command("watch 10 ls"))"))
    }
    if turn.context.commands.declaration(of: turn.invocation)?.producesData != true {
      throw ParseError(
        LocalizedText(
          "\(.command(turn.invocation.command)) has no output to watch.",
          ko: "\(.command(turn.invocation.command)) 명령은 반복해서 볼 내용이 없습니다."))
    }
  }
}

/// A parsed command with its invocation and context, which writes its report to the destination of the line.
package struct PreparedCommand {
  package let command: any Command
  package let invocation: ParsedCommand
  package var context: CommandContext
  /// The report that was written.
  package let delivered = ReportNote()

  /// - Throws: The errors of the command, and of `deliver`.
  package func take(_ session: inout Session, _ execution: inout Execution) async throws {
    try await deliver(command.run(&session, &execution, in: context), session)
  }

  /// - Throws: `FileError` and `OutputError` if the report can't be written; `CommandError` for a program that fails.
  package func deliver(_ report: Report, _ session: Session) async throws {
    try await ReportWriter(clauses, session, context, pages: !writesOne(report)).deliver(report)
    delivered.note(report)
  }

  /// Returns whether the report is the product after a write, which is shown without a pager.
  private func writesOne(_ report: Report) -> Bool {
    guard case .product = report.data else { return false }
    return context.commands.declaration(of: invocation)?.writesToMarket == true
  }

  /// The output clauses.
  ///
  /// A command that supports none prints plain text in every format.
  var clauses: Clauses {
    guard context.commands.declaration(of: invocation)?.producesData == false else { return invocation.clauses }
    return Clauses(format: .table)
  }

  /// The declared traits of the command.
  package var traits: CommandDeclaration.Traits { context.commands.declaration(of: invocation)?.traits ?? [] }
}
