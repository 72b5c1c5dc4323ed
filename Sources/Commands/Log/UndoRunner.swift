import Catalog
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The execution of an undo or redo, planned against the current state of the market.
///
/// Changes that can't be undone are reported before the question.
struct UndoRunner {
  private let target: UndoTarget
  private let admitsChanged: Bool
  private let consent: WriteOptions

  init(_ target: UndoTarget, admitsChanged: Bool = false, _ consent: WriteOptions) {
    self.target = target
    self.admitsChanged = admitsChanged
    self.consent = consent
  }

  func run(in scope: inout CommandScope) async throws -> CommandResult {
    try scope.requireWritable()
    let market = try await scope.marketClient()
    // The writes to undo are those of the logged-in vendor. Without a vendor none would be found.
    if market.service.edition.capabilities.hasVendors { _ = try market.service.credentials.needIdentifier() }
    let runner = scope.context.planRunner(for: market, scope.session)
    let binding = scope.session.binding(at: market.service.baseURL)
    let made = try await InterruptedUndo(target, binding, in: scope).find(runner, scope.session)
    guard made.isEmpty else { return try await InterruptedUndo.report(made, at: market, consent, in: &scope) }
    var notes = try open(binding, scope.context).map { [$0] } ?? []
    let undo: UndoPlan
    do {
      undo = try await plan(runner, &notes, scope.context)
    } catch {
      for note in notes { scope.say(note) }
      throw error
    }
    notes += UndoRunner.limited(undo.obstacles.map { Message(.warning, $0.wording) })
    notes += UndoLoss.messages(undo.losses) + UndoRunner.limited(undo.refusals.map(\.remark))
    let executor = PlanExecutor(market, consent)
    let line = scope.line
    return try await executor.execute(
      undo.plan, notes: notes, in: &scope,
      send: { approved, runner in
        await runner.run(undo.limited(to: approved), line: line, note: consent.note, pace: consent.pace)
      },
      report: { approved, outcomes, scope in
        let undo = undo.limited(to: approved)
        var result = try await executor.report(
          undo.plan, outcomes, returned: recreatedIDs(undo, scope.context),
          takenBackBy: target == .lastUndo ? "undo" : "redo", in: &scope)
        // Each of these was reported above. The request was only partly fulfilled.
        if !undo.refusals.isEmpty, result.status != .outcomeUnknown { result.status = .partialFailure }
        return result
      })
  }

  /// Returns the first ten messages and the number of the others, so that the preview stays on the screen.
  private static func limited(_ messages: [Message]) -> [Message] {
    let most = 10
    guard messages.count > most else { return messages }
    let rest = messages.count - most
    return messages.prefix(most) + [.note("and \(rest) more like these", ko: "이와 같은 것이 \(rest)건 더 있습니다.")]
  }

  /// Returns a note about pending writes, which an undo leaves unchanged, or `nil` if there are none.
  private func open(_ binding: WriteScope, _ context: CommandContext) throws -> Message? {
    let journal = try context.journal()
    let count = try journal.undecidedEntries(binding).count + journal.resumableEntries(binding).count
    guard count > 0 else { return nil }
    return .note(
      "\(count) \(count == 1 ? StyledText("change is") : "changes are") still pending and \(count == 1 ? StyledText("is") : "are") not affected.",
      ko: "대기 중인 변경 \(count)건은 그대로 둡니다."
    ).next("Run \(.command("status")) to see pending changes.", ko: "대기 중인 변경은 \(.command("status"))에서 볼 수 있습니다.")
  }

  /// Returns the plan of the undo.
  ///
  /// If the last write belongs to a batch, the plan undoes the complete batch.
  private func plan(
    _ runner: PlanRunner, _ notes: inout [Message], _ context: CommandContext
  ) async throws -> UndoPlan {
    let undo = try await runner.undoPlan(target, admitsChanged: admitsChanged)
    guard target == .last, let origin = undo.origins.first else { return undo }
    let journal = try context.journal()
    guard let batch = try journal.entry(origin.entry)?.batch, try journal.batch(batch).count > 1 else { return undo }
    notes.append(
      .note(
        "The last change belongs to batch \(batch), so the whole batch will be undone. To undo only that change, run \(.command("undo \(origin.entry)")).",
        ko: "마지막 변경은 \(batch)번 일괄 작업에 속하므로 전체를 되돌립니다. 하나만 되돌리려면 \(.command("undo \(origin.entry)"), .object) 입력하세요."))
    return undo.origins.count > 1 ? undo : try await runner.undoPlan(.batch(batch), admitsChanged: admitsChanged)
  }

  /// Returns the old ids of products that are restored under a new id, by the index of their change.
  private func recreatedIDs(_ undo: UndoPlan, _ context: CommandContext) throws -> [Int: Product.ID] {
    var ids: [Int: Product.ID] = [:]
    for (index, origin) in undo.origins.enumerated() {
      guard case .create = undo.plan.changes[index] else { continue }
      ids[index] = try context.journal().entry(origin.entry)?.product
    }
    return ids
  }
}

extension UndoPlan {
  /// Returns the undo without the changes that the user excluded.
  fileprivate func limited(to approved: ApprovedPlan) -> UndoPlan {
    var copy = self
    (copy.plan, copy.origins) = (approved.plan, approved.remaining(of: origins))
    return copy
  }
}
