import Catalog
import GRDB

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
  package var obstacles: [UndoConflict]
  /// What cannot come back.
  package var losses: [UndoLoss]
  /// Entries of a batch that cannot be undone at all.
  package var refusals: [UndoRefusal]
}

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

/// Why a write cannot be taken back.
package enum UndoRefusal: Error, Hashable, Sendable {
  case nothingToUndo
  case nothingToRedo
  case noSuchEntry(Int)
  case noSuchBatch(Int)
  /// Only what was done can be undone; this is what became of it.
  case notDone(Int, Entry.Result)
  case alreadyUndone(Int, by: Int)
  /// A newer write has no outcome yet, so that what was written last is not known.
  case unsettled(Int)
  /// Another write is taking it back, and how that ended is not known yet.
  case undoing(Int, by: Int)
  /// The record is not what was written: nothing is undone by it.
  case altered(Int)
  /// A raw request: what it did is not known here.
  case raw(Int)
  /// It went to another market or belongs to another vendor.
  case otherTarget(Int, profile: String)
  /// Nothing of it still stands as it was written.
  case moved(Int, [UndoConflict])
  /// The product is no longer there.
  case gone(Int, Product.ID)
  /// Others have changed the product since it was created: it is deleted only where the line says so.
  case changed(Int, Product.ID, [UndoConflict])
  /// A deleted product's picture was not saved, or a field of it was never seen.
  case incomplete(Int, [Field])
  case journal(JournalFailure)
  /// The market could not be read; the evidence.
  case unreadable(String)
}

/// What an undo does not bring back, to be said before the deed.
package enum UndoLoss: Hashable, Sendable {
  /// The product comes back under a new id, with new picture addresses and a new date.
  case identity(Product.ID)
  /// These pictures were not saved.
  case pictures(Product.ID, [String])
  /// The product to be deleted was changed since we made it, in these fields.
  case laterChanges(Product.ID, [Field])
}

/// A field that is not taken back, because it no longer holds what we wrote.
package struct UndoConflict: Hashable, Sendable {
  package var entry: Int
  package var product: Product.ID
  package var field: Field
  /// What we wrote.
  package var ours: FieldValue?
  /// What stands there now.
  package var now: FieldValue?
  /// A later write of this journal that set the field; nil when somebody else did.
  package var laterEntry: Int?
}

extension Journal {
  /// One undo of a write at a time: one that may have been sent stands.
  ///
  /// - Throws: `JournalFailure.takenBack`.
  func checkUndo(of entry: Int, _ database: Database) throws {
    if let by = try undo(of: entry, database) { throw JournalFailure.takenBack(entry, by: by) }
  }

  /// An older undo that was never sent makes way.
  func supersede(undoOf entry: Int, _ database: Database) throws {
    let now = clock.wall.description
    let open = "undo_of = ? AND state IN (\(Journal.openStates))"
    try database.execute(
      sql:
        "INSERT INTO event SELECT n, ?, attempt, \(quoted(.dismissed)), 'another undo took its place' FROM op WHERE \(open)",
      arguments: [now, entry])
    try database.execute(
      sql: "UPDATE op SET state = \(quoted(.dismissed)), attended = 0, ended = ? WHERE \(open)",
      arguments: [now, entry])
  }

  /// The write that takes another back, or may be doing so; nil when there is none.
  func undo(of entry: Int) throws(JournalFailure) -> Int? {
    try read { try undo(of: entry, $0) }
  }

  private func undo(of entry: Int, _ database: Database) throws -> Int? {
    let done = try Int.fetchOne(
      database,
      sql: "SELECT u.n FROM op x JOIN op u ON u.n = x.undone_by WHERE x.n = ? AND u.undone_by IS NULL",
      arguments: [entry])
    if let done { return done }
    return try Row.fetchAll(
      database, sql: "SELECT * FROM op WHERE undo_of = ? AND state IN (\(Journal.openStates)) ORDER BY n",
      arguments: [entry]
    ).first { !isLeft($0) || ["sending", "unknown", "asked"].contains($0["state"] as String) }?["n"]
  }
}
