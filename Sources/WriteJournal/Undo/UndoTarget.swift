/// The selection of writes to undo.
package enum UndoTarget: Hashable, Sendable {
  /// The last write of this vendor that isn't undone, or its complete batch.
  case last
  /// The last undo, to redo its writes, as a batch if it was one.
  case lastUndo
  case entry(Int)
  /// Every write of a batch, in reverse order.
  case batch(Int)
}
