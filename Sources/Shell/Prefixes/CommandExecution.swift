import Engine
import Language
import Presentation

/// One command whose turn it is: it is run, and its report taken where the line wants it.
package struct CommandExecution {
  package let command: any Command
  package let invocation: Invocation
  package var context: Context
  /// The report that was taken where the line wants it.
  package let delivered = ReportNote()

  package func take(_ session: inout Session, _ execution: inout Execution) async throws {
    try await deliver(command.run(&session, &execution, in: context), session)
  }

  package func deliver(_ report: Report, _ session: Session) async throws {
    try await OutputSink(clauses, session, context, pages: !writesOne(report)).deliver(report)
    delivered.note(report)
  }

  /// The product as a write left it is there to be glanced at, not to be read through.
  private func writesOne(_ report: Report) -> Bool {
    guard case .product = report.data else { return false }
    return context.commands.declaration(of: invocation)?.writes == true
  }

  /// What a command prints that takes no clauses is plain text in every format.
  var clauses: Clauses {
    guard context.commands.declaration(of: invocation)?.prints == false else { return invocation.clauses }
    return Clauses(format: .table)
  }

  /// What the command declares itself to be.
  package var traits: Declaration.Traits { context.commands.declaration(of: invocation)?.traits ?? [] }
}
