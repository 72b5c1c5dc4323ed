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
