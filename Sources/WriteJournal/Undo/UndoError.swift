import Catalog

/// The reason why a write can't be undone.
package enum UndoError: Error, Hashable, Sendable {
  case nothingToUndo
  case nothingToRedo
  case noSuchEntry(Int)
  case noSuchBatch(Int)
  /// This actor made no write that could be undone.
  case nothingOf(String)
  /// The write wasn't done, so there is nothing to undo; this is its result.
  case notDone(Int, JournalEntry.Status)
  case alreadyUndone(Int, by: Int)
  /// A newer write has no outcome yet, so the last write isn't known.
  case unsettled(Int)
  /// Another write is undoing it, and its outcome isn't known yet.
  case undoing(Int, by: Int)
  /// The record doesn't match its checksum, so it can't be used.
  case altered(Int)
  /// A raw request, whose effect isn't known.
  case raw(Int)
  /// The write belongs to another market or vendor.
  case otherTarget(Int, profile: String)
  /// None of its fields still has the value that was written.
  case moved(Int, [UndoConflict])
  /// The product doesn't exist any more.
  case gone(Int, Product.ID)
  /// Others changed the product since it was created.
  ///
  /// It is deleted only if the line requests it.
  case changed(Int, Product.ID, [UndoConflict])
  /// A picture of a deleted product wasn't saved, or one of its fields was never read.
  case incomplete(Int, [ProductField])
  case journal(JournalError)
  /// The market couldn't be read, for the given reason.
  ///
  /// `isAnswered` indicates that the server responded.
  case unreadable(String, isAnswered: Bool)
}
