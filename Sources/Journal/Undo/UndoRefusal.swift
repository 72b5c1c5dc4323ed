import Catalog

/// Why a write cannot be taken back.
package enum UndoRefusal: Error, Hashable, Sendable {
  case nothingToUndo
  case nothingToRedo
  case noSuchEntry(Int)
  case noSuchBatch(Int)
  /// Only what was done can be undone; this is what became of it.
  case notDone(Int, Entry.Result)
  case alreadyUndone(Int, by: Int)
  /// Another write is taking it back, and how that ended is not known yet.
  case undoing(Int, by: Int)
  /// The record is not what was written: nothing is undone by it.
  case altered(Int)
  /// A raw request: what it did is not known here.
  case raw(Int)
  /// It went to another market or belongs to another vendor.
  case otherTarget(Int, profile: String)
  /// Nothing of it still stands as it was written.
  case moved(Int, [Obstacle])
  /// The product is no longer there.
  case gone(Int, Product.ID)
  /// A deleted product's picture was not saved, or a field of it was never seen.
  case incomplete(Int, [Field])
  case journal(JournalFailure)
  /// The market could not be read; the evidence.
  case unreadable(String)
}
