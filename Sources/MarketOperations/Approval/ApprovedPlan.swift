import Catalog
import FoundationEssentials

/// The approved part of a plan.
package struct ApprovedPlan: Hashable, Sendable {
  /// The plan without the excluded changes.
  package private(set) var plan: Plan
  /// The excluded changes, by index in the original plan.
  package private(set) var leftOut: Set<Int> = []
  /// A Boolean value that indicates that the plan contains outliers, which were approved.
  package internal(set) var isExtreme = false
  private var places: [Int]

  init(plan: Plan) {
    self.plan = plan
    places = Array(plan.changes.indices)
  }

  mutating func leaveOut(_ rows: Set<Int>) {
    leftOut.formUnion(rows.map { places[$0] })
    places = places.enumerated().filter { !rows.contains($0.offset) }.map(\.element)
    plan = plan.removingChanges(rows)
  }

  /// Returns the elements that belong to changes, one each, without those of excluded changes.
  package func remaining<Element>(of elements: [Element]) -> [Element] {
    elements.enumerated().filter { !leftOut.contains($0.offset) }.map(\.element)
  }
}
