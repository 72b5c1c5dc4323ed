import Catalog
import GRDB

/// An undo that was decided and not yet made.
///
/// It is shown as a diff and confirmed like any write.
package struct UndoPlan: Hashable, Sendable {
  /// The entry that a change undoes.
  package struct Origin: Hashable, Sendable {
    package var entry: Int
    package var depth: Int
  }

  package var plan: Plan
  /// The origins, one per change.
  package var origins: [Origin]
  /// The fields that aren't undone, with the reasons.
  package var obstacles: [UndoConflict]
  /// The values that can't be restored.
  package var losses: [UndoLoss]
  /// The entries of a batch that can't be undone at all.
  package var refusals: [UndoError]
}

extension Journal {
  /// Throws if another undo of the write may have been sent, because there must be only one.
  ///
  /// - Throws: `JournalError.alreadyUndone`.
  func checkUndo(of entry: Int, _ database: Database) throws {
    if let by = try undo(of: entry, database) { throw JournalError.alreadyUndone(entry, by: by) }
  }

  /// Dismisses an older undo that was never sent.
  func supersede(undoOf entry: Int, _ database: Database) throws {
    let now = clock.now.description
    let open = "undo_of = ? AND state IN (\(Journal.openStates))"
    try database.execute(
      sql:
        "INSERT INTO event SELECT n, ?, attempt, \(quoted(.abandoned)), 'another undo took its place' FROM op WHERE \(open)",
      arguments: [now, entry])
    try database.execute(
      sql: "UPDATE op SET state = \(quoted(.abandoned)), attended = 0, ended = ? WHERE \(open)",
      arguments: [now, entry])
  }

  /// Returns the write that undoes, or may undo, another one, or `nil` if there is none.
  func undo(of entry: Int) throws(JournalError) -> Int? {
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
    ).first { !isUnowned($0) || ["sending", "unknown", "answered", "asked"].contains($0["state"] as String) }?["n"]
  }
}

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

/// A field that isn't undone, because it no longer has the value that was written, or because someone else wrote it at
/// about the same time.
package struct UndoConflict: Hashable, Sendable {
  package var entry: Int
  package var product: Product.ID
  package var field: ProductField
  /// The value that was written.
  package var ours: FieldValue?
  /// The current value.
  package var now: FieldValue?
  /// The later write of this journal that set the field, or `nil` if another client did.
  package var laterEntry: Int?
}

/// A loss caused by an undo, mentioned before the confirmation.
package enum UndoLoss: Hashable, Sendable {
  /// The product is restored under a new id, with new picture URLs and a new date.
  case identity(Product.ID)
  /// These pictures weren't saved.
  case pictures(Product.ID, [String])
  /// The product to be deleted was changed in these fields since it was created.
  case laterChanges(Product.ID, [ProductField])
}

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
