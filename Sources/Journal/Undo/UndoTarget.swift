import Catalog

/// What to take back.
package enum UndoTarget: Hashable, Sendable {
  /// The last write of this vendor that still stands; when it was part of a batch, the whole batch.
  case last
  /// The last undo: makes it again, as a batch when it was one.
  case lastUndo
  case entry(Int)
  /// Every write of a batch, in reverse.
  case batch(Int)
}

/// What one `undo` takes back: a single write, or the writes of a batch that still stand.
package struct UndoUnit: Hashable, Sendable {
  /// The batch's number; nil for a single write.
  package var batch: Int?
  /// Newest first.
  package var entries: [Entry]
}
