import Catalog
import Journal

/// What a second look at a product says about a change that was planned earlier.
struct PlanVerdict: Hashable, Sendable {
  /// As it was planned.
  var planned: Change
  /// What of it can be made now; nil where nothing is to be made.
  var change: Change?
  /// How it ends where nothing is to be made.
  var outcome: Outcome

  /// Still as it was: the change can be made, less what is as wanted already.
  static func go(_ planned: Change, _ change: Change) -> PlanVerdict {
    PlanVerdict(planned: planned, change: change, outcome: .skipped)
  }

  /// Already as wanted; a product that is gone was to be deleted.
  static func unchanged(_ planned: Change, _ product: Product) -> PlanVerdict {
    PlanVerdict(planned: planned, change: nil, outcome: .unchanged(product))
  }

  /// Fields that are neither as they were nor as wanted; none where the product is gone.
  static func drifted(_ planned: Change, _ fields: [Field]) -> PlanVerdict {
    PlanVerdict(planned: planned, change: nil, outcome: .drifted(fields))
  }

  var isDrifted: Bool {
    if case .drifted = outcome { return true }
    return false
  }
}
