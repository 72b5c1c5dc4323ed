import Catalog
import FileFormats
import MarketAPI
import MarketOperations
import Networking
import Presentation
import ShellRuntime
import Text
import WriteJournal

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
    try DestinationCheck(contents.destination).check(
      PlanFile.Destination(scope.session, at: market.service.baseURL), named: name)
    let (attribution, question) = try await PlanApproval(contents, from: source, named: name).check(in: scope)
    var context = scope.context
    context.attribution = attribution
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
    let (planned, returned) = try followed(scope.context)
    let executor = PlanExecutor(market, consent)
    let checked = try await DriftCheck(planned).verdicts(from: market, in: scope.context)
    let (verdicts, origins) = try await executor.withoutEarlierWrites(
      checked, of: "plan " + contents.id, digests: contents.digests, in: scope)
    var plan = Plan(verdicts.compactMap(\.change))
    // The file doesn't record how its prices were computed. Prices that differ may come from a calculation.
    plan.computesPrices = Set(plan.changes.map(\.prices)).count > 1
    let notes = returned + (ApplyCommand.drifted(verdicts).map { [$0] } ?? [])
    guard !plan.changes.isEmpty else {
      for note in notes { scope.say(note) }
      return (try await executor.report(verdicts, plan, [], in: &scope), scope.mode == .write)
    }
    let pictures = PictureBackup(market, scope.session, scope.context)
    for case .delete(let product) in plan.changes { await pictures.save(of: product) }
    var isSettled = false
    let result = try await executor.execute(
      plan, from: origins, note: contents.note, notes: notes, question: question, in: &scope,
      report: { approved, outcomes, scope in
        let rest = verdicts.without(approved.leftOut)
        let result = try await executor.report(rest, approved.plan, outcomes, in: &scope)
        isSettled = approved.leftOut.isEmpty && outcomes.allSatisfy(\.isFinal)
        return result
      })
    return (result, isSettled)
  }
}

extension PlanFileExecution {
  /// Returns the plan with the current ids of products that were deleted and restored since, and notes about them.
  func followed(_ context: CommandContext) throws -> (plan: Plan, notes: [Message]) {
    guard let journal = try? context.journal() else { return (contents.plan, []) }
    let (plan, moved) = try ReturnedProducts(journal, at: contents.destination.baseURL).following(contents.plan)
    let notes = moved.prefix(10).map { old, new in
      Message.note("Product \(old) is now product \(new).", ko: "\(old)번 상품은 이제 \(new)번입니다.")
    }
    return (plan, notes)
  }
}
