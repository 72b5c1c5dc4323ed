import Catalog
import CommandLanguage
import FileFormats
import MarketOperations
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `apply FILE`: executes a saved plan.
///
/// Every product is read again first. Products that have changed since the plan was made are reported and skipped.
package struct ApplyCommand: Command {
  package static let declaration = CommandDeclaration(
    "apply", group: .schedule, summary: LocalizedText("apply a saved plan", ko: "저장한 계획 적용"),
    usage: ["apply FILE [early] [all]"],
    details: LocalizedText(
      "Shows the changes of a plan and asks before it sends them. Products that changed since the plan was made are skipped, and changes that were applied before are not applied again.",
      ko: "계획의 변경을 보여 주고 물은 뒤 보냅니다. 계획을 만든 뒤에 바뀐 상품은 건너뛰고, 이전에 적용한 변경은 다시 적용하지 않습니다."),
    writesToMarket: true,
    producesData: true,
    parameters: [
      Parameter(
        "FILE", .positional(required: true), .file, LocalizedText("plan file, as saved by plan", ko: "plan으로 만든 파일")),
      Parameter(
        "early", .flag, .none, LocalizedText("apply before the scheduled time", ko: "정해진 시각 전에도 적용")),
      .showingAll,
    ],
    examples: [
      .init("apply sale.json", "asks first, then skips products that changed since", ko: "확인한 뒤, 그사이 바뀌지 않은 것만 적용"),
      .init("apply sale.json again", "also apply changes that were applied before", ko: "이전에 적용한 변경도 다시 적용"),
    ])

  private let consent: WriteOptions
  private let file: String
  private let isEarly: Bool

  package init(_ invocation: ParsedCommand) {
    consent = WriteOptions(invocation)
    file = invocation.text("FILE") ?? ""
    isEarly = invocation.has("early")
  }

  /// - Throws: `CommandError` for a plan that isn't due, belongs to another market or vendor, or isn't approved; `FileError`
  ///   for a file that isn't a plan.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    try scope.requireWritable(checksApproval: true)
    let path = Paths.expanded(file, home: scope.context.environment["HOME"])
    let source = try PlanSource(path)
    let contents = try PlanFile(source.text(), named: file, scope.session.settings.limits)
    guard contents.sale == nil else { throw ApplyCommand.isSale(file) }
    if let due = contents.notBefore, due > Timestamp(scope.context.now()), !isEarly, scope.mode == .write {
      throw ApplyCommand.tooEarly(file, due)
    }
    let market = try await scope.marketClient()
    let made = try await PlanFileExecution(contents, from: source, named: file, consent).run(at: market, in: &scope)
    if made.isSettled, made.result.isSuccess { ScheduledPlanStore(scope.context.home).archive(path) }
    return made.result
  }

  /// Returns a warning with the number of products that changed since they were planned, or `nil` if none did.
  static func drifted(_ verdicts: [RevalidatedChange]) -> Message? {
    let drifted = verdicts.count { $0.isDrifted }
    guard drifted > 0 else { return nil }
    return .warning(
      "\(drifted) of \(verdicts.count) products changed since the plan was made and will be skipped.",
      ko: "\(verdicts.count)개 중 \(drifted)개는 계획한 뒤에 바뀌어 그대로 둡니다.")
  }

  private static func isSale(_ file: String) -> CommandError {
    CommandError(
      .blocked,
      .failure(
        "\(.value(file)) is a sale. Nothing was sent.", ko: "\(.value(file), .topic) 할인입니다. 아무것도 보내지 않았습니다."
      ).next(
        "Run \(.command("due apply")) to start and end the sales that are due.",
        ko: "시각이 된 할인을 시작하고 끝내려면 \(.command("due apply"), .object) 실행하세요."))
  }

  private static func tooEarly(_ file: String, _ due: Timestamp) -> CommandError {
    CommandError(
      .blocked,
      .failure(
        "\(.value(file)) is scheduled for \(LocalTime(due).description). Nothing was sent.",
        ko: "\(.value(file), .topic) \(LocalTime(due).description)에 적용할 계획입니다. 아무것도 보내지 않았습니다."
      ).next("Add \(.command("early")) to apply it now.", ko: "지금 적용하려면 \(.command("early"), .object) 붙이세요."),
      code: .notDue)
  }
}

extension Outcome {
  /// A Boolean value that indicates that applying the change again would change nothing.
  var isFinal: Bool {
    switch self {
    case .done, .unchanged, .conflicted: true
    case .refused, .notSent, .aborted, .journalUnavailable, .locked, .notApplied, .notStored, .unknown, .notStarted,
      .needsDecision,
      .unrecorded:
      false
    }
  }
}

extension Change {
  /// The price and the discount that the change sets.
  var prices: [Amount?] {
    guard case .edit(_, _, let to) = self else { return [] }
    return [to.price, to.discount]
  }
}
