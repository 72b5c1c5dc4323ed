import Catalog

/// A write that an earlier run left open, and what became of it.
package struct Recovered: Hashable, Sendable {
  package var entry: Int
  package var change: Change
  package var outcome: Outcome
}
