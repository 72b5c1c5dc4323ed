import Catalog
import Engine
import Failures
import Interchange
import Journal
import Language
import Marketplace
import Networking
import Platform
import Presentation
import Text

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
  package func run(_ session: inout Session, _ execution: inout Execution, in context: CommandContext) async throws -> Report {
    try WriteApproval.requireWritable(session, execution.mode)
    let path = Paths.expanded(file, home: context.environment["HOME"])
    let contents = try PlanFile(
      StableFileReader.text(path, limit: PlanFile.mostBytes), named: file, session.settings.limits)
    if let due = contents.notBefore, due > Timestamp(context.now()), !isEarly, execution.mode == .write {
      throw ApplyCommand.tooEarly(file, due)
    }
    let market = try await context.marketClient(&session)
    let made = try await PlanFileExecution(contents, named: file, consent).run(
      at: market, &session, &execution, in: context)
    if made.isSettled { ScheduledPlanStore(context.home).archive(path) }
    return made.report
  }

  /// Returns a warning with the number of products that changed since they were planned, or `nil` if none did.
  fileprivate static func drifted(_ verdicts: [RevalidatedChange]) -> Message? {
    let drifted = verdicts.count { $0.isDrifted }
    guard drifted > 0 else { return nil }
    return .warning(
      "\(drifted) of \(verdicts.count) products changed since the plan was made and will be skipped.",
      ko: "\(verdicts.count)개 중 \(drifted)개는 계획한 뒤에 바뀌어 그대로 둡니다.")
  }

  private static func tooEarly(_ file: String, _ due: Timestamp) -> CommandError {
    CommandError(
      .blocked,
      .failure(
        "\(.value(file)) is scheduled for \(LocalTime(due).description). Nothing was sent.",
        ko: "\(.value(file), .topic) \(LocalTime(due).description)에 적용할 계획입니다. 아무것도 보내지 않았습니다."
      ).next("Add \(.command("early")) to apply it now.", ko: "지금 적용하려면 \(.command("early"), .object) 붙이세요."))
  }
}

/// The execution of a plan from a file at the market it was made for, after each of its products was read again.
///
/// A change that was already applied isn't applied again unless the line contains `again` or the change was undone
/// since.
struct PlanFileExecution {
  private let contents: PlanFile
  private let name: String
  private let consent: WriteOptions

  /// Creates the execution of a plan.
  ///
  /// Errors refer to the plan as `readIdentifier`.
  init(_ contents: PlanFile, named name: String, _ consent: WriteOptions) {
    self.contents = contents
    self.name = name
    self.consent = consent
  }

  /// Checks the plan, asks for approval and executes it.
  ///
  /// - Returns: The report, and whether every change of the plan is complete.
  /// - Throws: `CommandError` for a plan of another market or vendor, and if it isn't approved.
  func run(
    at market: Client<MarketService>, _ session: inout Session, _ execution: inout Execution, in context: CommandContext
  ) async throws -> (report: Report, isSettled: Bool) {
    try DestinationCheck(contents.destination).check(PlanFile.Destination(session, at: market.service.baseURL), named: name)
    if contents.isEdited {
      context.say(
        .note(
          "\(.value(name)) was edited after it was created.", ko: "\(.value(name), .topic) 저장한 뒤에 수정된 계획입니다."), session)
    }
    let (planned, returned) = try followed(context)
    var (verdicts, origins) = try await decide(planned.changes, market, session, execution, context)
    var plan = Plan(verdicts.compactMap(\.change))
    // The file doesn't record how its prices were computed. Prices that differ may come from a calculation.
    plan.computesPrices = Set(plan.changes.map(\.prices)).count > 1
    let notes = returned + (ApplyCommand.drifted(verdicts).map { [$0] } ?? [])
    if plan.changes.isEmpty { for note in notes { context.say(note, session) } }
    var outcomes: [Outcome] = []
    var isWhole = execution.mode == .write
    if !plan.changes.isEmpty {
      let pictures = PictureBackup(market, session, context)
      for case .delete(let product) in plan.changes { await pictures.save(of: product) }
      try PreflightCheck(market.service).check(plan)
      guard
        let admitted = try await WriteApproval.approve(
          plan, notes: notes, consent: consent, session: session, &execution, in: context)
      else { return (.empty, false) }
      plan = admitted.plan
      verdicts = verdicts.without(admitted.leftOut)
      origins = admitted.kept(of: origins)
      isWhole = isWhole && admitted.leftOut.isEmpty
      outcomes = await context.planRunner(for: market, session).run(
        plan, origins: origins, note: consent.note ?? contents.note, pace: consent.pace)
    }
    let report = try await Report.verdicts(verdicts, plan, outcomes, at: market, &session, &execution, in: context)
    return (report, isWhole && outcomes.allSatisfy(\.isFinal))
  }

  /// Returns the verdict of each change of the plan, and the origin of each change that is to be applied.
  private func decide(
    _ changes: [Change], _ market: Client<MarketService>, _ session: Session, _ execution: Execution, _ context: CommandContext
  ) async throws -> (verdicts: [RevalidatedChange], origins: [WriteOrigin]) {
    let source = "plan " + contents.id
    let repetition = RepetitionGuard(market, consent, session, execution, in: context)
    try await repetition.settle(source: source)
    let intents = Intent.of(changes, source: source, line: execution.line, digests: contents.digests)
    let priors = try await repetition.priors(of: changes, intents)
    let rest = changes.indices.filter { priors[$0] == nil }
    let checked = try await DriftCheck(Plan(rest.map { changes[$0] })).verdicts(from: market, in: context)
    var verdicts: [RevalidatedChange?] = priors.enumerated().map { index, prior in
      prior.map { RevalidatedChange.earlier(changes[index], $0.write, $0.product) }
    }
    for (index, verdict) in zip(rest, checked) { verdicts[index] = verdict }
    let whole = verdicts.compactMap(\.self)
    let origins = zip(whole, intents).filter { $0.0.change != nil }.map {
      WriteOrigin($0.1, isAnother: consent.again)
    }
    return (whole, origins)
  }
}

extension PlanFileExecution {
  /// Returns the plan with the current ids of products that were deleted and restored since, and notes about them.
  fileprivate func followed(_ context: CommandContext) throws -> (plan: Plan, notes: [Message]) {
    guard let journal = try? context.journal() else { return (contents.plan, []) }
    let (plan, moved) = try ReturnedProducts(journal, at: contents.destination.baseURL).following(contents.plan)
    let notes = moved.prefix(10).map { old, new in
      Message.note("Product \(old) is now product \(new).", ko: "\(old)번 상품은 이제 \(new)번입니다.")
    }
    return (plan, notes)
  }
}

extension Outcome {
  /// A Boolean value that indicates that applying the change again would change nothing.
  fileprivate var isFinal: Bool {
    switch self {
    case .done, .unchanged, .conflicted: true
    case .refused, .notSent, .aborted, .journalUnavailable, .locked, .notApplied, .notStored, .unknown, .notStarted, .needsDecision,
      .unrecorded:
      false
    }
  }
}

extension Change {
  /// The price and the discount that the change sets.
  fileprivate var prices: [Amount?] {
    guard case .edit(_, _, let to) = self else { return [] }
    return [to.price, to.discount]
  }
}
