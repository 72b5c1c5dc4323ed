import Language
import Presentation

/// One command whose turn it is: it is run, and its report taken where the line wants it.
struct Turn {
  let command: any Command
  let invocation: Invocation
  var context: Context

  func take(_ session: inout Session) async throws {
    try await deliver(command.run(&session, in: context), session)
  }

  func deliver(_ report: Report, _ session: Session) async throws {
    try await Delivery(invocation.clauses, session, context).deliver(report)
  }
}
