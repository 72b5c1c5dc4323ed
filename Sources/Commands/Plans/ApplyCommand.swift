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
        "FILE", .positional(required: true), kind: .file,
        summary: LocalizedText("plan file, as saved by plan", ko: "plan으로 만든 파일")),
      Parameter(
        "early", .flag, kind: .none, summary: LocalizedText("apply before the scheduled time", ko: "정해진 시각 전에도 적용")),
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
    let path = Paths.expanded(file, home: scope.context.program.environment["HOME"])
    let source = try PlanSource(path)
    let contents = try PlanFile(source.text(), named: file, scope.session.limits)
    guard contents.sale == nil else { throw ApplyCommand.isSale(file) }
    if let due = contents.notBefore, due > scope.context.clock.timestamp, !isEarly, scope.mode == .write {
      throw ApplyCommand.tooEarly(file, due)
    }
    let market = try await scope.marketClient()
    let made = try await PlanFileExecution(contents, from: source, named: file, consent).run(at: market, in: &scope)
    if made.isSettled, made.result.isSuccess { ScheduledPlanStore(scope.context.stores.home).archive(path) }
    return made.result
  }

  /// Returns a warning with the number of products that changed since they were planned, or `nil` if none did.
  static func drifted(_ plan: Plan) -> Message? {
    let drifted = plan.rows.count(where: \.isDrifted)
    guard drifted > 0 else { return nil }
    return .warning(
      "\(drifted) of \(plan.rows.count) products changed since the plan was made and will be skipped.",
      ko: "\(plan.rows.count)개 중 \(drifted)개는 계획한 뒤에 바뀌어 그대로 둡니다.")
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
    case .done, .unchanged, .drifted: true
    case .refused, .notSent, .aborted, .journalUnavailable, .locked, .notApplied, .notStored, .unknown, .notStarted,
      .otherProduct, .createdAndGone, .needsDecision, .unrecorded:
      false
    }
  }
}

extension Plan {
  /// A Boolean value that indicates that prices differ, which may come from a calculation that a file doesn't record.
  var hasVariousPrices: Bool {
    var prices: Set<[Amount?]> = []
    for change in changes {
      if case .edit(_, _, let to) = change { prices.insert([to.price, to.discount]) } else { prices.insert([]) }
    }
    return prices.count > 1
  }
}

/// The execution of a plan from a file at the market it was made for, after each of its products was read again.
///
/// A product that was already created isn't created again unless the line contains `again` or the create was undone since.
struct PlanFileExecution {
  private let contents: PlanFile
  private let source: PlanSource
  private let name: String
  private let consent: WriteOptions

  /// Creates the execution of a plan.
  ///
  /// Errors refer to the plan as `name`.
  init(_ contents: PlanFile, from source: PlanSource, named name: String, _ consent: WriteOptions) {
    self.contents = contents
    self.source = source
    self.name = name
    self.consent = consent
  }

  /// Checks the plan, asks for approval and executes it.
  ///
  /// - Returns: The result, and whether every change of the plan is complete.
  /// - Throws: `CommandError` for a plan of another market or vendor, and if it isn't approved.
  func run(at market: Client<MarketService>, in scope: inout CommandScope) async throws -> (
    result: CommandResult, isSettled: Bool
  ) {
    let (attribution, question) = try await PlanApproval(contents, from: source, named: name).check(in: scope)
    try await DestinationCheck(contents.destination).check(market, named: name, in: scope)
    var context = scope.context
    context.program.attribution = attribution
    return try await scope.with(context) { scope in try await run(at: market, question, in: &scope) }
  }

  private func run(
    at market: Client<MarketService>, _ question: WriteQuestion, in scope: inout CommandScope
  ) async throws -> (result: CommandResult, isSettled: Bool) {
    if contents.isEdited {
      scope.say(
        .note(
          "\(.value(name)) was edited after it was created.", ko: "\(.value(name), .topic) 저장한 뒤에 수정된 계획입니다."))
    }
    let (planned, returned) = try followed(scope.context.stores)
    let checked = try await DriftCheck(planned).plan(from: market, in: scope)
    let reconciler = Reconciler("plan " + contents.id, at: market, consent)
    var plan = try await reconciler.leavingOutCreated(checked, since: { _ in contents.createdAt }, in: scope)
    plan.computesPrices = plan.hasVariousPrices
    if !plan.changes.isEmpty {
      let pictures = PictureBackup(market, scope)
      for case .delete(let product) in plan.changes { await pictures.save(of: product) }
    }
    let count = plan.rows.count
    var isSettled = false
    let result = try await reconciler.run(
      plan, note: contents.note, notes: returned + (ApplyCommand.drifted(plan).map { [$0] } ?? []), question: question,
      in: &scope, unsent: { try await PlanExecutor(market, consent).report($0, in: &$1) },
      finish: { made, _ in
        isSettled =
          made.rows.count == count && made.rows.allSatisfy { $0.change == nil || $0.outcome?.isFinal == true }
        return made
      })
    return (result, isSettled)
  }
}

extension PlanFileExecution {
  /// Returns the plan with the current ids of products that were deleted and restored since, and notes about them.
  func followed(_ stores: Stores) throws -> (plan: Plan, notes: [Message]) {
    let planned = contents.identifiedPlan
    guard let journal = try? stores.journal() else { return (planned, []) }
    let (plan, moved) = try ReturnedProducts(journal, at: journal.name(of: contents.destination.market)).following(
      planned)
    let notes = moved.prefix(10).map { old, new in
      Message.note("Product \(old) is now product \(new).", ko: "\(old)번 상품은 이제 \(new)번입니다.")
    }
    return (plan, notes)
  }
}

/// The comparison of every product of a plan with its current state, field by field, before anything is written.
package struct DriftCheck {
  private let plan: Plan

  package init(_ plan: Plan) { self.plan = plan }

  /// Returns the plan with the part of each change that isn't in effect yet.
  ///
  /// A row whose product was changed or deleted by others is in conflict.
  ///
  /// - Throws: The errors of reading the products; `CommandError` with exit status 4 if one is another product now.
  package func plan(from market: Client<MarketService>, in scope: CommandScope) async throws -> Plan {
    let ids = plan.changes.compactMap { $0.product?.id }
    let now = try await ProductReader(market, scope).find(ids, optional: Set(ids))
    let others = plan.changes.compactMap { change in
      change.product.flatMap { planned in now[planned.id].flatMap { ProductReference(planned).mismatch(with: $0) } }
    }
    try CommandError.throwIfOther(
      others, of: ids.count,
      next: LocalizedText(
        "Make the plan again for the products that are there now.", ko: "지금 있는 상품으로 계획을 다시 만드세요."))
    var checked = plan
    for (index, row) in plan.rows.enumerated() where row.change != nil {
      DriftCheck.check(&checked.rows[index], against: row.planned.product.flatMap { now[$0.id] })
    }
    return checked
  }

  /// Compares the planned values of a row with those of its product now, which is `nil` if there is none.
  package static func check(_ row: inout Plan.Row, against now: Product?) {
    switch row.planned {
    case .create: break
    case .delete(let planned):
      // A product that is already deleted needs no change.
      guard let now else { return row.skip(as: .unchanged(planned)) }
      let drifted = reconciled(ProductValues(of: planned), to: nil, now).decisions.map(\.field)
      if drifted.isEmpty { row.send(.delete(now)) } else { row.skip(as: .drifted(drifted)) }
    case .edit(_, let from, let to):
      guard let now else { return row.skip(as: .drifted([])) }
      let merge = reconciled(from, to: to, now)
      var (left, before) = (to, from)
      for field in to.assignedFields where field != .thumbnail && merge.writes[field] == nil {
        (left[field], before[field]) = (nil, nil)
      }
      let drifted = merge.decisions.filter { $0.decision != .write }.map(\.field)
      if !drifted.isEmpty {
        row.skip(as: .drifted(drifted))
      } else if left.isEmpty {
        row.skip(as: .unchanged(now))
      } else {
        row.send(.edit(now, from: before, to: left))
      }
    }
  }

  /// Reconciles the fields of a plan except the thumbnail, which follows from the pictures; `to` is `nil` for a delete.
  private static func reconciled(_ from: ProductValues, to: ProductValues?, _ now: Product) -> Reconciliation {
    let fields = (to ?? from).assignedFields.filter { $0 != .thumbnail }
    return Reconciliation(
      base: from.byField, mine: to?.byField, market: ProductValues(of: now).byField, in: fields, isPlan: true)
  }
}
