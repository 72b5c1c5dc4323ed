import Catalog
import Journal
import Platform
import Presentation

/// What a second look at a product says about a change that was planned earlier.
package struct PlanVerdict: Hashable, Sendable {
  /// As it was planned.
  package var planned: Change
  /// What of it can be made now; nil where nothing is to be made.
  package var change: Change?
  /// How it ends where nothing is to be made.
  package var outcome: Outcome
  /// Fields that are left alone because others changed them, beside a change of other fields that is made.
  package var left: [Field] = []

  /// Still as it was: the change can be made, less what is as wanted already.
  package static func go(_ planned: Change, _ change: Change) -> PlanVerdict {
    PlanVerdict(planned: planned, change: change, outcome: .skipped)
  }

  /// Already as wanted; a product that is gone was to be deleted.
  package static func unchanged(_ planned: Change, _ product: Product) -> PlanVerdict {
    PlanVerdict(planned: planned, change: nil, outcome: .unchanged(product))
  }

  /// Fields that are neither as they were nor as wanted; none where the product is gone.
  package static func drifted(_ planned: Change, _ fields: [Field]) -> PlanVerdict {
    PlanVerdict(planned: planned, change: nil, outcome: .drifted(fields))
  }

  package var isDrifted: Bool {
    if case .drifted = outcome { return true }
    return !left.isEmpty
  }

  /// How the change ended: one that was made beside fields that drifted is not done whole.
  package func whole(_ made: Outcome?) -> Outcome {
    guard change != nil else { return outcome }
    let made = made ?? .skipped
    return made.isFine && !left.isEmpty ? .drifted(left) : made
  }
}

extension Report {
  /// One row a verdict in their order, once what was to be made has been made.
  ///
  /// - Parameter plan: the changes of the verdicts; `outcomes` are theirs.
  package static func verdicts(
    _ verdicts: [PlanVerdict], _ plan: Plan, _ outcomes: [Outcome], _ session: inout Session,
    _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    if verdicts.count == 1, outcomes.count == 1, !verdicts[0].isDrifted {
      return try await Writer(context).report(plan, outcomes, into: &session, &execution)
    }
    // Brings the session up to date; the rows are those of all verdicts.
    if !outcomes.isEmpty { _ = try? await Writer(context).report(plan, outcomes, into: &session, &execution) }
    var rest = outcomes[...]
    let whole = verdicts.map { $0.whole($0.change == nil ? nil : rest.popFirst()) }
    if whole.contains(where: { !$0.isFine }) { execution.ending = .incomplete }
    return .several([
      .rows(BatchTable.of(Plan(verdicts.map(\.planned)), whole)),
      .message(BatchSummary.message(whole, batch: Writer(context).batch(plan, outcomes))),
    ])
  }
}
