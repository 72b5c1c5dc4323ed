import Catalog
import Engine
import Interchange
import Journal
import Language
import Marketplace
import Networking
import Platform
import Presentation
import Text

/// `apply FILE`: makes a plan, after looking at every product again: what changed meanwhile is told and left alone.
package struct ApplyPlan: Command {
  package static let declaration = Declaration(
    "apply", group: .products, summary: LocalizedText("make a plan that was written down", ko: "저장한 계획 적용"),
    writes: true,
    prints: true,
    parameters: [
      Parameter("FILE", .positional(required: true), .file, LocalizedText("what plan wrote", ko: "plan으로 만든 파일")),
      .showingAll,
    ],
    examples: [.init("apply sale.json", "asks, then writes what has not drifted", ko: "확인한 뒤, 그사이 바뀌지 않은 것만 적용")])

  private let consent: Consent
  private let file: String

  package init(_ invocation: Invocation) {
    consent = Consent(invocation)
    file = invocation.text("FILE") ?? ""
  }

  package func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    try Guards.requireWritable(session, execution.mode)
    let path = Paths.expanded(file, home: context.environment["HOME"])
    let contents = try PlanFile(
      SteadyFile.text(path, limit: PlanFile.mostBytes), named: file, session.settings.limits)
    let market = try await context.market(&session)
    try PlanBinding(contents.place).check(PlanFile.Destination(session, at: market.service.baseURL), named: file)
    var verdicts = try await PlanCheck(contents.plan).verdicts(from: market, in: context)
    var plan = Plan(verdicts.compactMap(\.change))
    // The file does not tell how its prices came about: where they are not all the same, they may be of a computation.
    plan.isArithmetic = Set(plan.changes.map(\.prices)).count > 1
    sayDrifted(verdicts, session, context)
    var outcomes: [Outcome] = []
    if !plan.changes.isEmpty {
      let pictures = OldPictures(market, session, context)
      for case .delete(let product) in plan.changes { await pictures.keep(of: product) }
      try PreflightCheck(market.service).check(plan)
      guard let admitted = try await Guards.admit(plan, consent: consent, session: session, &execution, in: context)
      else { return .nothing }
      plan = admitted.plan
      verdicts = verdicts.without(admitted.leftOut)
      outcomes = await context.runner(for: market, session).run(
        plan, note: consent.note ?? contents.note, pace: consent.pace)
    }
    return try await .verdicts(verdicts, plan, outcomes, at: market, &session, &execution, in: context)
  }

  private func sayDrifted(_ verdicts: [PlanVerdict], _ session: Session, _ context: Context) {
    let drifted = verdicts.count { $0.isDrifted }
    guard drifted > 0 else { return }
    context.say(
      .warning(
        "\(drifted) of \(verdicts.count) changed since they were planned and are left alone.",
        ko: "\(verdicts.count)개 중 \(drifted)개는 계획한 뒤에 바뀌어 그대로 둡니다."), session)
  }
}

extension Change {
  /// The price and the discount it sets.
  fileprivate var prices: [Amount?] {
    guard case .edit(_, _, let to) = self else { return [] }
    return [to.price, to.discount]
  }
}
