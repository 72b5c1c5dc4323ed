import Catalog
import FileFormats
import Foundation
import MarketAPI
import MarketOperations
import Networking
import Platform
import ShellRuntime
import WriteJournal

/// The comparison of every product of a plan with its current state, field by field, before anything is written.
package struct DriftCheck {
  private let plan: Plan

  package init(_ plan: Plan) { self.plan = plan }

  /// Compares the expected with the current values.
  ///
  /// - Throws: The errors of reading the products. A missing product is a verdict.
  package func verdicts(from market: Client<MarketService>, in context: CommandContext) async throws
    -> [RevalidatedChange]
  {
    let ids = plan.changes.compactMap { $0.product?.id }
    let now = try await ProductReader(market, context).find(ids, optional: Set(ids))
    return plan.changes.map { change in
      DriftCheck.verdict(change, change.product.flatMap { now[$0.id] })
    }
  }

  package static func verdict(_ change: Change, _ now: Product?) -> RevalidatedChange {
    switch change {
    case .create: return .apply(change, change)
    case .delete(let planned):
      // A product that is already deleted needs no change.
      guard let now else { return .unchanged(change, planned) }
      let before = ProductValues(of: planned)
      let drifted = before.assignedFields.filter { $0 != .thumbnail && before[$0] != ProductValues(of: now)[$0] }
      return drifted.isEmpty ? .apply(change, .delete(now)) : .drifted(change, drifted)
    case .edit(_, let from, let to):
      guard let now else { return .drifted(change, []) }
      let current = ProductValues(of: now)
      var (left, before) = (to, from)
      var drifted: [ProductField] = []
      for field in to.assignedFields where field != .thumbnail {
        if current[field] == to[field] {
          left[field] = nil
          before[field] = nil
        } else if current[field] != from[field] {
          drifted.append(field)
        }
      }
      if !drifted.isEmpty { return .drifted(change, drifted) }
      return left.isEmpty ? .unchanged(change, now) : .apply(change, .edit(now, from: before, to: left))
    }
  }
}

extension PlanFile.Destination {
  /// Creates the destination of plans of this session: its market, vendor and login.
  package init(_ session: Session, at url: URL) {
    let binding = session.binding(at: url)
    self.init(
      profile: binding.profile, baseURL: binding.baseURL, vendor: session.credentials.vendorID,
      login: binding.vendor.isEmpty ? nil : PlanFile.Destination.digest(binding.vendor))
  }
}
