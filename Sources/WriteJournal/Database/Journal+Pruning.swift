import Catalog
import Foundation
import GRDB
import Glibc
import SQLiteSupport

extension Journal {
  /// Removes old entries and the pictures that are no longer needed.
  ///
  /// Pending writes are never removed, nor are those of runs that are open or interrupted. Creates of a plan, file or
  /// folder are retained longer, because without them another execution would make the same products again.
  ///
  /// The order is the journal's own, so a wrong clock deletes nothing.
  ///
  /// - Parameters:
  ///   - entries: The number of newest writes to retain.
  ///   - creates: The number of newest creates of plans, files and folders to retain: the rows of the largest file.
  ///   - bytes: The maximum size of the records, which may reduce that number.
  ///   - pictures: The number of picture backups to retain.
  /// - Throws: `JournalError` if the log can't be read or written.
  package func prune(
    entries: Int = 100_000, creates: Int = 500_000, bytes: Int = 1 << 30, pictures: Int = 20_000
  ) throws(JournalError) {
    let needed = try write(durable: false) { database in
      let cutoff = try cutoffID(database, entries: entries, bytes: bytes)
      let lastRun = try Int.fetchOne(database, sql: "SELECT max(run) FROM op WHERE n <= ?", arguments: [cutoff])
      try database.execute(
        sql: """
          DELETE FROM op WHERE n <= ? AND attended = 0 AND state NOT IN (\(Journal.openStates))
            AND (run IS NULL OR run NOT IN (SELECT n FROM run WHERE state IN (\(Journal.unsettled))))
            AND NOT (\(Journal.isCreateOfSource) AND n > coalesce(
              (SELECT n FROM op WHERE \(Journal.isCreateOfSource) ORDER BY n DESC LIMIT 1 OFFSET ?), 0))
          """, arguments: [cutoff, creates])
      try pruneRuns(upTo: lastRun ?? 0, database)
      try database.execute(sql: "DELETE FROM event WHERE op NOT IN (SELECT n FROM op)")
      try database.execute(sql: "DELETE FROM exchange WHERE op NOT IN (SELECT n FROM op)")
      try database.execute(
        sql: "DELETE FROM description WHERE digest NOT IN (SELECT description FROM op WHERE description IS NOT NULL)")
      try database.execute(
        sql:
          "DELETE FROM saved WHERE rowid NOT IN (SELECT rowid FROM saved ORDER BY rowid DESC LIMIT ?)",
        arguments: [pictures])
      try removeMarkerIfIdle(database)
      let changes = try String.fetchAll(
        database,
        sql: "SELECT change FROM op WHERE kind IN (\(sqlList(.create, .patch))) AND change LIKE '%\"pictures\":[\"%'")
      let saved = try String.fetchAll(database, sql: "SELECT sha FROM saved")
      let dead = try String.fetchAll(database, sql: "SELECT id FROM session").filter { !isAlive($0) }
      for session in dead {
        try database.execute(
          sql: "DELETE FROM session WHERE id = ? AND id NOT IN (SELECT session FROM op) "
            + "AND id NOT IN (SELECT session FROM run WHERE state IN (\(Journal.unsettled)))", arguments: [session])
        try? FileManager.default.removeItem(atPath: directory + "/sessions/" + session + ".lock")
      }
      return Set(saved).union(Journal.pictures(changes))
    }
    // A blob that is still being written has a dot in its name. A blob that was unneeded in the previous run too, and
    // wasn't stored again since, doesn't belong to a write that another shell is about to plan.
    let spare = blobs.names().filter { !needed.contains($0) && !$0.contains(".") }
    let marks = Dictionary(spare.map { ($0, blobs.mark($0)) }) { $1 }
    let before = try unreferencedBlobs(replacedBy: marks)
    for name in spare where before[name] == marks[name] { blobs.remove(name) }
  }

  /// Removes runs that have ended or were settled and whose writes were removed.
  private func pruneRuns(upTo last: Int, _ database: Database) throws {
    try database.execute(
      sql: """
        DELETE FROM run WHERE n <= ? AND state NOT IN (\(Journal.unsettled))
          AND NOT EXISTS(SELECT 1 FROM op WHERE op.run = run.n)
        """, arguments: [last])
  }

  /// The SQL condition of a create of a plan, file or folder.
  private static let isCreateOfSource =
    "source IS NOT NULL AND kind = \(sqlList(.create)) AND state = \(quoted(.done)) AND undone_by IS NULL"

  /// Returns the last entry to be removed.
  private func cutoffID(_ database: Database, entries: Int, bytes: Int) throws -> Int {
    let newest = try Int.fetchOne(database, sql: "SELECT max(n) FROM op") ?? 0
    // Removed entries leave empty pages, which new records fill.
    let empty = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
    let pages = (try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0) - empty
    let size = pages * (try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
    let edge = newest - entries
    guard size > bytes else { return edge }
    let oldest = try Int.fetchOne(database, sql: "SELECT min(n) FROM op") ?? 0
    // The share of removed entries is the excess of the file size, and more because the tables have pages of their own.
    let share = Double(size - bytes) / Double(size) + 0.15
    return max(edge, oldest + Int(Double(newest - oldest) * min(share, 1)))
  }

  /// Records the unneeded pictures with the time each was last stored, and returns those recorded by the previous run.
  private func unreferencedBlobs(replacedBy marks: [String: String]) throws(JournalError) -> [String: String] {
    try write(durable: false) { database in
      let rows = try Row.fetchAll(database, sql: "SELECT name, mark FROM spare")
      try database.execute(sql: "DELETE FROM spare")
      for (name, mark) in marks {
        try database.execute(sql: "INSERT INTO spare VALUES(?, ?)", arguments: [name, mark])
      }
      return Dictionary(rows.map { ($0["name"] as String, $0["mark"] as String) }) { $1 }
    }
  }

  /// Runs `prune` once a day for all shells together.
  ///
  /// After a failure, it is tried again the next day.
  package func pruneDaily() {
    let mark = directory + "/swept"
    var facts = stat()
    let isFresh = lstat(mark, &facts) == 0 && (clock.now.seconds &- Int64(facts.st_mtim.tv_sec)).magnitude < 86_400
    guard readOnly == nil, !isFresh else { return }
    let descriptor = open(mark, O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    futimens(descriptor, nil)
    close(descriptor)
    try? prune()
  }

  /// The SQL list of states of writes that may still be sent or have no verdict.
  static let openStates = quoted(WriteStateMachine.State.open)
}

extension Journal {
  /// Runs `body` in a transaction shared with other concurrent writes, without blocking a thread.
  ///
  /// If `durable` is true, the transaction is on disk when this function returns. If `body` throws a `JournalError`, its
  /// changes are rolled back and the other writes are committed.
  func writeGrouped<Value: Sendable>(
    durable: Bool, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(JournalError) -> Value {
    do {
      return try await commits.write(
        isDurable: durable, in: { [self] in try write(durable: $0, $1) }, body)
    } catch {
      throw Journal.failure(error, directory)
    }
  }
}
