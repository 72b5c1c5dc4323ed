import Catalog

/// An undo that was decided and not yet made: shown as a diff and confirmed like any write.
package struct UndoPlan: Hashable, Sendable {
  /// The entry a change takes back.
  package struct Origin: Hashable, Sendable {
    package var entry: Int
    package var depth: Int
  }

  package var plan: Plan
  /// One for each change.
  package var origins: [Origin]
  /// Fields that stay as they are, and why.
  package var obstacles: [Obstacle]
  /// What cannot come back.
  package var losses: [Loss]
  /// Entries of a batch that cannot be undone at all.
  package var refusals: [UndoRefusal]
}
