import Catalog
import Journal

/// Looks at every product of a plan again, field by field, before anything is written.
package struct PlanCheck {
  private let plan: Plan

  package init(_ plan: Plan) { self.plan = plan }

  package func verdicts(_ session: inout Session, in context: Context) async throws -> [PlanVerdict] {
    let ids = plan.changes.compactMap { $0.product?.id }
    let now = try await ProductReader(context).find(ids, optional: Set(ids), &session)
    return plan.changes.map { change in
      PlanCheck.verdict(change, change.product.flatMap { now[$0.id] })
    }
  }

  package static func verdict(_ change: Change, _ now: Product?) -> PlanVerdict {
    switch change {
    case .create: return .go(change, change)
    case .delete(let planned):
      // Gone is what was wanted.
      guard let now else { return .unchanged(change, planned) }
      let before = Fields(of: planned)
      let drifted = before.set.filter { $0 != .thumbnail && before[$0] != Fields(of: now)[$0] }
      return drifted.isEmpty ? .go(change, .delete(now)) : .drifted(change, drifted)
    case .edit(_, let from, let to):
      guard let now else { return .drifted(change, []) }
      let current = Fields(of: now)
      var (left, before) = (to, from)
      var drifted: [Field] = []
      for field in to.set where field != .thumbnail {
        if current[field] == to[field] {
          left[field] = nil
          before[field] = nil
        } else if current[field] != from[field] {
          drifted.append(field)
        }
      }
      if !drifted.isEmpty { return .drifted(change, drifted) }
      return left.isEmpty ? .unchanged(change, now) : .go(change, .edit(now, from: before, to: left))
    }
  }
}
