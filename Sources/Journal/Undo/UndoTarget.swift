/// What to take back.
package enum UndoTarget: Hashable, Sendable {
  /// The last write of this vendor that still stands.
  case last
  /// The last undo: makes it again.
  case lastUndo
  case entry(Int)
  /// Every write of a batch, in reverse.
  case batch(Int)
}
