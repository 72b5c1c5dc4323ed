import Catalog
import CommandLanguage
import FileFormats
import Foundation
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// `plan COMMAND… to FILE`: saves the batch of a command in a file, for `apply FILE`.
package struct PlanCommand: StaticallyCheckable {
  package static let declaration = CommandDeclaration(
    "plan", group: .schedule,
    summary: LocalizedText("save changes to a file to apply later", ko: "일괄 작업을 지금 정하고 나중에 적용"),
    usage: ["plan COMMAND... to FILE"],
    details: LocalizedText(
      "Decides the changes of a command now, with the values before and after, and saves them to a file instead of sending them.",
      ko: "명령의 변경을 이전 값, 새 값과 함께 지금 정해서, 보내지 않고 파일에 저장합니다."),
    producesData: true,
    parameters: [
      Parameter(
        "COMMAND", .rest(required: true), .line, LocalizedText("the command to plan, such as patch or rm", ko: "변경 명령"))
    ],
    examples: [
      .init(
        "plan patch where vendor=me and currency=KRW price-=10% round 100 to sale.json", "apply it later with apply",
        ko: "내일 apply로 적용할 계획"),
      .init("plan rm @1-3 to tidy.json", "lists what would be deleted", ko: "삭제될 상품의 이름과 정가까지"),
    ])

  private let line: String
  private let file: String?

  package init(_ invocation: ParsedCommand) {
    line = invocation.text("COMMAND") ?? ""
    file = invocation.clauses.file
  }

  /// - Throws: The errors of checking the nested command.
  package func check(in scope: inout CommandScope) throws -> CommandResult {
    try scope.check(line)
  }

  /// - Throws: `ParseError` if the line isn't one command that writes; the errors of planning it; `FileError`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
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
    let market = try await scope.marketClient()
    let plan = try await command.plan(from: market, in: &scope)
    guard !plan.changes.isEmpty else {
      return .message(.note("Nothing to change. No plan was saved.", ko: "바꿀 것이 없어 계획을 만들지 않았습니다."))
    }
    try await PlanExecutor(market, command.consent).preview(plan, in: scope)
    let contents = PlanFile(
      id: scope.context.freshName(), destination: PlanFile.Destination(scope.session, at: market.service.baseURL),
      createdAt: Timestamp(scope.context.now()), maker: scope.context.account, command: line,
      note: command.consent.note,
      plan: plan)
    guard let file else {
      try scope.writeOutput(
        scope.context.console.outputIsTerminal ? JSON.escapingInvisibleScalars(contents.text) : contents.text)
      return .empty
    }
    try ProtectedOutputFile(file, scope.context).write(Data(contents.text.utf8))
    let count = plan.changes.count
    return .message(
      .success(
        "Saved a plan of \(count) \(count == 1 ? StyledText("change") : "changes") to \(.value(file)). Nothing was sent.",
        ko: "변경 \(count)건의 계획을 \(.value(file))에 저장했습니다. 아무것도 보내지 않았습니다."
      ).next("Run \(.command("apply \(file)")) to apply it.", ko: "\(.command("apply \(file)"), .toward) 적용합니다."))
  }
}
