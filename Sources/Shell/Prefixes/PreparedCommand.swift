import CommandLanguage
import Presentation
import ShellRuntime

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
