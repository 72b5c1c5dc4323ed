import Catalog
import Engine
import Foundation
import Interchange
import Journal
import Marketplace
import Networking
import Platform
import Presentation

/// Looks at every product of a plan again, field by field, before anything is written.
package struct PlanCheck {
  private let plan: Plan

  package init(_ plan: Plan) { self.plan = plan }

  /// Compares what the plan expected with what is there.
  ///
  /// - Throws: what reading the products throws; a product that is gone is a verdict.
  package func verdicts(from market: Client<Market>, in context: Context) async throws -> [PlanVerdict] {
    let ids = plan.changes.compactMap { $0.product?.id }
    let now = try await ProductReader(market, context).find(ids, optional: Set(ids))
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

extension Context {
  /// The name of the account that this program runs for; nil where the environment does not have it.
  var account: String? { environment["USER"] ?? environment["LOGNAME"] }
}

extension PlanFile.Destination {
  /// Where a plan of this session may be made: the market, the vendor and the login it was decided with.
  package init(_ session: Session, at url: URL) {
    let binding = session.binding(at: url)
    self.init(
      profile: binding.profile, baseURL: binding.baseURL, vendor: session.credentials.vendorID,
      login: binding.vendor.isEmpty ? nil : PlanFile.Destination.digest(binding.vendor))
  }
}
