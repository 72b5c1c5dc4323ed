import Catalog

/// A change that was planned earlier, after its product was read again.
package struct RevalidatedChange: Hashable, Sendable {
  /// The change as planned.
  package var planned: Change
  /// The part that can be applied now, or `nil` if nothing can.
  package var change: Change?
  /// The outcome if nothing is applied.
  package var outcome: Outcome
  /// The fields that are skipped because others changed them, while the remaining fields are applied.
  package var skippedFields: [ProductField] = []
  /// The line of the imported file, counted from 1, or `nil` for a change that isn't from a file.
  package var line: Int?

  /// The product is as planned: the change can be applied, without the fields that already have the wanted values.
  package static func apply(_ planned: Change, _ change: Change) -> RevalidatedChange {
    RevalidatedChange(planned: planned, change: change, outcome: .notStarted)
  }

  /// The product already has the wanted values, or a product to be deleted doesn't exist.
  package static func unchanged(_ planned: Change, _ product: Product) -> RevalidatedChange {
    RevalidatedChange(planned: planned, change: nil, outcome: .unchanged(product))
  }

  /// An earlier write from this home folder made the change.
  package static func earlier(_ planned: Change, _ write: EarlierWrite, product: Product) -> RevalidatedChange {
    RevalidatedChange(planned: planned, change: nil, outcome: .unchanged(product, earlier: write))
  }

  /// These fields have neither the planned previous nor the wanted value.
  ///
  /// The list is empty if the product doesn't exist.
  package static func drifted(_ planned: Change, _ fields: [ProductField]) -> RevalidatedChange {
    RevalidatedChange(planned: planned, change: nil, outcome: .drifted(fields))
  }

  package var isDrifted: Bool {
    if case .drifted = outcome { return true }
    return !skippedFields.isEmpty
  }

  /// Returns the outcome of the change.
  ///
  /// If it was applied while other fields conflicted, it isn't completely done.
  package func combinedOutcome(_ made: Outcome?) -> Outcome {
    guard change != nil else { return outcome }
    let made = made ?? .notStarted
    return made.isSuccess && !skippedFields.isEmpty ? .drifted(skippedFields) : made
  }
}

extension [RevalidatedChange] {
  /// Returns the verdicts without the changes that the user excluded, by their index among those that can be applied.
  package func without(_ leftOut: Set<Int>) -> [RevalidatedChange] {
    var index = 0
    return filter { verdict in
      guard verdict.change != nil else { return true }
      index += 1
      return !leftOut.contains(index - 1)
    }
  }
}
