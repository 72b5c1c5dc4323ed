import CommandLanguage
import Platform
import Presentation
import ShellRuntime

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
    try await ReportWriter(clauses, scope.session, scope.context, pages: !writesOne(result.report))
      .deliver(result.report)
  }

  /// Returns whether the report is the product after a write, which is shown without a pager.
  private func writesOne(_ report: Report) -> Bool {
    guard case .product = report.data else { return false }
    return declaration?.writesToMarket == true
  }

  /// The output clauses.
  ///
  /// A command that supports none prints plain text in every format.
  var clauses: Clauses {
    declaration?.producesData == false ? Clauses(format: .table) : invocation.clauses
  }

  /// The declared traits of the command.
  package var traits: CommandDeclaration.Traits { declaration?.traits ?? [] }
}
