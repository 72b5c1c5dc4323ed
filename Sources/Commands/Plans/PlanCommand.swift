import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `plan COMMAND… to FILE`: saves the batch of a command in a file, for `apply FILE`.
package struct PlanCommand: StaticallyCheckable {
  package static let declaration = CommandDeclaration(
    "plan", group: .schedule,
    summary: LocalizedText("save changes to a file to apply later", ko: "일괄 작업을 지금 정하고 나중에 적용"),
    usage: ["plan [valid TIME] COMMAND... to FILE"],
    details: LocalizedText(
      "Decides the changes of a command now, with the values before and after, and saves them to a file instead of sending them.",
      ko: "명령의 변경을 이전 값, 새 값과 함께 지금 정해서, 보내지 않고 파일에 저장합니다."),
    producesData: true,
    parameters: [
      Parameter(
        "valid", .option, kind: .text,
        summary: LocalizedText(
          "how long it can be applied, such as 7d (default: 24h)", ko: "적용할 수 있는 기간, 예: 7d(기본: 24h)"),
        placeholder: "TIME"),
      Parameter(
        "COMMAND", .rest(required: true), kind: .line,
        summary: LocalizedText("the command to plan, such as patch or rm", ko: "변경 명령")),
    ],
    examples: [
      .init(
        "plan patch where vendor=me and currency=KRW price-=10% round 100 to sale.json", "apply it later with apply",
        ko: "내일 apply로 적용할 계획"),
      .init("plan valid 7d rm mine to tidy.json", "can be applied for a week", ko: "일주일 동안 적용할 수 있는 계획"),
      .init("plan rm where stock=0 and vendor=me to tidy.json", "lists what would be deleted", ko: "삭제될 상품의 이름과 정가까지"),
    ])

  private let line: String
  private let file: String?
  /// The time for which the plan is valid, in seconds.
  private let lifetime: Int

  /// - Throws: `ParseError` if `valid` is no duration, and for the name of a workbook.
  package init(_ invocation: ParsedCommand) throws {
    try invocation.clauses.refuseWorkbook()
    lifetime = try invocation.text("valid").map(PlanCommand.seconds) ?? PlanFile.defaultLifetime
    line = invocation.text("COMMAND") ?? ""
    file = invocation.clauses.file
  }

  /// - Throws: The errors of checking the nested command.
  package func check(in scope: inout CommandScope) throws -> CommandResult {
    try scope.check(line)
  }

  /// - Throws: `ParseError` if the line isn't one command that writes; the errors of planning it; `FileError`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    guard let contents = try await PlanMaker(line, lifetime: lifetime).make(in: &scope)?.file else {
      return .message(.note("Nothing to change. No plan was saved.", ko: "바꿀 것이 없어 계획을 만들지 않았습니다."))
    }
    guard let file else {
      try scope.writeOutput(
        scope.context.program.console.outputIsTerminal ? JSON.escapingInvisibleScalars(contents.text) : contents.text)
      return .empty
    }
    if let result = scope.resultWithoutSaving { return result }
    try ProtectedOutputFile(file, scope.context).write(Data(contents.text.utf8))
    let count = contents.plan.changes.count
    return .message(
      .success(
        "Saved a plan of \(count) \(count == 1 ? StyledText("change") : "changes") to \(.value(file)). Nothing was sent.",
        ko: "변경 \(count)건의 계획을 \(.value(file))에 저장했습니다. 아무것도 보내지 않았습니다."
      ).next(
        scope.session.server.apply.value == .signed
          ? LocalizedText(
            "Run \(.command("approve \(file)")) to review and sign it.",
            ko: "검토하고 서명하려면 \(.command("approve \(file)"), .object) 실행하세요.")
          : LocalizedText(
            "Run \(.command("apply \(file)")) to apply it.", ko: "\(.command("apply \(file)"), .toward) 적용합니다.")))
  }

  /// Returns the seconds of a duration such as `7d` or `12h`.
  private static func seconds(_ text: String) throws(ParseError) -> Int {
    if let age = RelativeTime(text), age.isAge, (60...366 * 86_400).contains(age.seconds) { return Int(age.seconds) }
    throw ParseError(
      LocalizedText("Not a duration: \(.value(text)).", ko: "기간이 아닙니다: \(.value(text))."),
      suggestion: LocalizedText("Use 12h, 7d or 4w.", ko: "12h, 7d, 4w처럼 씁니다."))
  }
}

/// Decides the changes of one command and makes a plan file of them, for `plan` and for agents.
package struct PlanMaker {
  private let line: String
  private let lifetime: Int

  /// Creates the maker for a line.
  ///
  /// - Parameters:
  ///   - line: The line, which is one command that changes products.
  ///   - lifetime: The time for which the plan is valid, in seconds.
  package init(_ line: String, lifetime: Int = PlanFile.defaultLifetime) {
    self.line = line
    self.lifetime = lifetime
  }

  /// Returns the parsed command of the line.
  ///
  /// - Throws: `ParseError` if the line isn't one command that changes products.
  package func command(in scope: CommandScope) throws -> (invocation: ParsedCommand, command: any ProductWriteCommand) {
    let invocations = try scope.read(line)
    guard invocations.count == 1,
      let command = try scope.context.program.commands.command(invocations[0]) as? any ProductWriteCommand
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
    try await scope.resolveSecret()
    let market = try await scope.marketClient()
    let executor = PlanExecutor(market, command.consent)
    let plan = try await executor.admitted(try await command.plan(from: market, in: &scope), in: scope)
    guard !plan.changes.isEmpty else { return nil }
    let outliers = try await executor.preview(plan, in: scope)
    // A plan of creates has read nothing yet.
    try await scope.recognize(market)
    let now = scope.context.clock.timestamp
    let file = PlanFile(
      id: scope.context.stores.freshName(),
      destination: PlanFile.Destination(scope.session, at: market.service.baseURL),
      createdAt: now, maker: scope.context.program.account(), actor: scope.actor,
      expires: Timestamp(seconds: now.seconds + Int64(lifetime), isUTC: true), command: line,
      note: command.consent.note, plan: plan)
    return (file, outliers)
  }
}
