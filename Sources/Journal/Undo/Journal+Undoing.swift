import Catalog
import GRDB

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
      sql: "INSERT INTO event SELECT n, ?, attempt, 'dismissed', 'another undo took its place' FROM op WHERE \(open)",
      arguments: [now, entry])
    try database.execute(
      sql: "UPDATE op SET state = 'dismissed', attended = 0, ended = ? WHERE \(open)", arguments: [now, entry])
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
