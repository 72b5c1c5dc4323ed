import Catalog

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
  /// The line of the imported file that it is from, from 1; nil for a change of no file.
  package var line: Int?

  /// Still as it was: the change can be made, less what is as wanted already.
  package static func go(_ planned: Change, _ change: Change) -> PlanVerdict {
    PlanVerdict(planned: planned, change: change, outcome: .skipped)
  }

  /// Already as wanted; a product that is gone was to be deleted.
  package static func unchanged(_ planned: Change, _ product: Product) -> PlanVerdict {
    PlanVerdict(planned: planned, change: nil, outcome: .unchanged(product))
  }

  /// Made before by a write of this home.
  package static func earlier(_ planned: Change, _ write: EarlierWrite, _ product: Product) -> PlanVerdict {
    PlanVerdict(planned: planned, change: nil, outcome: .unchanged(product, earlier: write))
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

extension [PlanVerdict] {
  /// Without the changes that were left out at the question, by their places among those that would be made.
  package func without(_ leftOut: Set<Int>) -> [PlanVerdict] {
    var place = 0
    return filter { verdict in
      guard verdict.change != nil else { return true }
      place += 1
      return !leftOut.contains(place - 1)
    }
  }
}
