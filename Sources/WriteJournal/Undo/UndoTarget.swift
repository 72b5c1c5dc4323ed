/// The selection of writes to undo.
package enum UndoTarget: Hashable, Sendable {
  /// The last write of this vendor that isn't undone, or its complete batch.
  case last
  /// The last undo, to redo its writes, as a batch if it was one.
  case lastUndo
  case entry(Int)
  /// Every write of a batch, in reverse order.
  case batch(Int)
  /// Every write that an actor decided (see `ChangeActor.matches`), at or after a time in seconds since 1970, UTC.
  case actor(String, since: Int64?)
}
