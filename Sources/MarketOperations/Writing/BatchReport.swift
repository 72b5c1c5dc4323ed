import Catalog
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import WriteJournal

extension Outcome {
  var end: WriteReceipt.End {
    switch self {
    case .done: .done
    case .unchanged: .unchanged
    case .refused: .refused
    case .notSent, .aborted, .journalUnavailable, .locked: .notSent
    case .notApplied, .notStored: .notApplied
    case .unknown, .needsDecision, .unrecorded: .unknown
    case .notStarted: .skipped
    case .conflicted: .drifted
    }
  }

  var isUnchanged: Bool { if case .unchanged(_, nil) = self { true } else { false } }

  var wasMadeBefore: Bool { if case .unchanged(_, .some) = self { true } else { false } }

  var isPartial: Bool {
    if case .done(_, let differences) = self { differences.isPartial } else { false }
  }

  var isDrifted: Bool { if case .conflicted = self { true } else { false } }

  var isNotStored: Bool { if case .notStored = self { true } else { false } }

  /// A Boolean value that indicates that the write was sent and applied.
  var isDone: Bool {
    if case .done = self { true } else { false }
  }
}

extension Report {
  /// Reports the outcome of each verdict in order, after the changes were written.
  ///
  /// - Parameters:
  ///   - verdicts: The verdicts.
  ///   - plan: The changes that were written.
  ///   - outcomes: The outcomes of `plan`.
  ///   - market: The client.
  ///   - session: The session, which is updated.
  ///   - execution: The state of the command.
  ///   - context: The dependencies.
  /// - Returns: The report.
  /// - Throws: `CommandError`, `JournalError`.
  package static func verdicts(
    _ verdicts: [RevalidatedChange], _ plan: Plan, _ outcomes: [Outcome], at market: Client<MarketService>,
    _ session: inout Session, _ execution: inout Execution, in context: CommandContext
  ) async throws -> Report {
    let reporter = PlanExecutor(market, context)
    if verdicts.count == 1, outcomes.count == 1, !verdicts[0].isDrifted {
      return try await reporter.report(plan, outcomes, into: &session, &execution)
    }
    for case .unchanged(let product, let write?) in verdicts.map(\.outcome) {
      reporter.take(write, product, into: &session)
    }
    // This updates the session; the rows are those of all verdicts.
    if !outcomes.isEmpty { _ = try? await reporter.report(plan, outcomes, into: &session, &execution) }
    var rest = outcomes[...]
    let whole = verdicts.map { $0.combinedOutcome($0.change == nil ? nil : rest.popFirst()) }
    if whole.contains(where: { !$0.isSuccess }) { execution.ending = .partialFailure }
    return BatchTable.report(
      Plan(verdicts.map(\.planned)), whole,
      summary: BatchSummary.message(whole, batch: reporter.batch(plan, outcomes)))
  }
}
