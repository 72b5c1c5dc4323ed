import Catalog

/// The changes that end a dry run or a comparison with exit status 8, for checks in CI.
package enum DriftCondition: String, Hashable, Sendable, CaseIterable {
  case any
  case deletes

  /// The name of the option.
  package static let option = "fail-on"

  /// Returns whether a plan contains such a change.
  package func isMet(by plan: Plan) -> Bool {
    switch self {
    case .any: !plan.changes.isEmpty
    case .deletes:
      plan.changes.contains { change in
        if case .delete = change { true } else { false }
      }
    }
  }

  /// Returns whether the differences contain such a change.
  package func isMet(by differences: [ProductDifference]) -> Bool {
    switch self {
    case .any: !differences.isEmpty
    case .deletes: differences.contains { $0.kind == .removed }
    }
  }
}
