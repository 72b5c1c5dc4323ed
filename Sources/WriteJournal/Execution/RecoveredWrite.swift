import Catalog

/// A write that an earlier run left pending, with its outcome.
package struct RecoveredWrite: Hashable, Sendable {
  package var entry: Int
  package var change: Change
  package var outcome: Outcome

  package init(entry: Int, change: Change, outcome: Outcome) {
    self.entry = entry
    self.change = change
    self.outcome = outcome
  }
}
