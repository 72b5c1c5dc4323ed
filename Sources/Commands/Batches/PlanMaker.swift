import Catalog
import CommandLanguage
import FileFormats
import MarketAPI
import MarketOperations
import Networking
import ShellRuntime
import Text

/// Decides the changes of one command and makes a plan file of them, for `plan` and for agents.
package struct PlanMaker {
  private let line: String
  private let lifetime: Int

  /// Creates the maker for a line.
  ///
  /// - Parameters:
  ///   - line: The line, which is one command that changes products.
  ///   - lifetime: The time for which the plan is valid, in seconds.
  package init(_ line: String, lifetime: Int = PlanFile.usualLifetime) {
    self.line = line
    self.lifetime = lifetime
  }

  /// Returns the parsed command of the line.
  ///
  /// - Throws: `ParseError` if the line isn't one command that changes products.
  package func command(in scope: CommandScope) throws -> (invocation: ParsedCommand, command: any ProductWriteCommand) {
    let invocations = try scope.context.read(line, scope.session)
    guard invocations.count == 1,
      let command = try scope.context.commands.command(invocations[0]) as? any ProductWriteCommand
    else {
      throw ParseError(
        LocalizedText("plan needs one command that changes products.", ko: "plan 뒤에는 상품을 변경하는 명령을 하나 적으세요."),
        suggestion: LocalizedText(
          "For example: \(.command("plan patch mine stock=0 to empty.json"))",
          ko: "예: \(.command("plan patch mine stock=0 to empty.json"))"))
    }
    return (invocations[0], command)
  }

  /// Returns the plan with the outliers in it after showing its preview, or `nil` if nothing would change.
  ///
  /// - Throws: `ParseError` for an unsuitable line; the errors of planning it.
  package func make(in scope: inout CommandScope) async throws -> (file: PlanFile, outliers: [Outlier])? {
    let command = try command(in: scope).command
    try await scope.context.resolveSecret(&scope.session)
    let market = try await scope.marketClient()
    let plan = try await command.plan(from: market, in: &scope)
    guard !plan.changes.isEmpty else { return nil }
    let outliers = try await PlanExecutor(market, command.consent).preview(plan, in: scope)
    let now = Timestamp(scope.context.now())
    let file = PlanFile(
      id: scope.context.freshName(), destination: PlanFile.Destination(scope.session, at: market.service.baseURL),
      createdAt: now, maker: scope.context.account, actor: scope.context.actor(scope.session),
      expires: Timestamp(seconds: now.seconds + Int64(lifetime), isUTC: true), command: line,
      note: command.consent.note, plan: plan)
    return (file, outliers)
  }
}
