import Catalog
import Journal

/// Looks at every product of a plan again, field by field, before anything is written.
struct PlanCheck {
  private let plan: Plan

  init(_ plan: Plan) { self.plan = plan }

  func verdicts(_ session: inout Session, in context: Context) async throws -> [PlanVerdict] {
    let ids = plan.changes.compactMap { $0.product?.id }
    let now = try await ProductReader(context).find(ids, optional: Set(ids), &session)
    return plan.changes.map { change in
      guard let id = change.product?.id else { return .go(change) }
      return PlanCheck.verdict(change, now[id], id)
    }
  }

  static func verdict(_ change: Change, _ now: Product?, _ id: Product.ID) -> PlanVerdict {
    switch change {
    case .create: return .go(change)
    case .delete(let planned):
      // Gone is what was wanted.
      guard let now else { return .unchanged(id) }
      let before = Fields(of: planned)
      let drifted = before.set.filter { $0 != .thumbnail && before[$0] != Fields(of: now)[$0] }
      return drifted.isEmpty ? .go(.delete(now)) : .drifted(id, drifted)
    case .edit(_, let from, let to):
      guard let now else { return .gone(id) }
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
      if !drifted.isEmpty { return .drifted(id, drifted) }
      return left.isEmpty ? .unchanged(id) : .go(.edit(now, from: before, to: left))
    }
  }
}
