import Catalog
import Foundation
import GRDB
import Glibc
import Synchronization

extension Journal {
  /// Removes old entries and the pictures that are no longer needed.
  ///
  /// Pending writes are never removed.
  ///
  /// The order is the journal's own, so a wrong clock deletes nothing.
  ///
  /// - Parameters:
  ///   - entries: The number of newest writes to retain.
  ///   - bytes: The maximum size of the records, which may reduce that number.
  ///   - pictures: The number of picture backups to retain.
  /// - Throws: `JournalError` if the log can't be read or written.
  package func prune(
    entries: Int = 100_000, bytes: Int = 1 << 30, pictures: Int = 20_000
  ) throws(JournalError) {
    let needed = try write(durable: false) { database in
      try database.execute(
        sql: """
          DELETE FROM op WHERE n <= ? AND attended = 0 AND state NOT IN (\(Journal.openStates))
          """, arguments: [try cutoffID(database, entries, bytes)])
      try database.execute(sql: "DELETE FROM event WHERE op NOT IN (SELECT n FROM op)")
      try database.execute(sql: "DELETE FROM exchange WHERE op NOT IN (SELECT n FROM op)")
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
          sql: "DELETE FROM session WHERE id = ? AND id NOT IN (SELECT session FROM op)", arguments: [session])
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

  /// Returns the last entry to be removed.
  private func cutoffID(_ database: Database, _ entries: Int, _ bytes: Int) throws -> Int {
    let newest = try Int.fetchOne(database, sql: "SELECT max(n) FROM op") ?? 0
    // Removed entries leave empty pages, which new records fill.
    let empty = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
    let pages = (try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0) - empty
    let size = pages * (try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
    let edge = newest - entries
    guard size > bytes else { return edge }
    let oldest = try Int.fetchOne(database, sql: "SELECT min(n) FROM op") ?? 0
    // The share of removed entries is the excess of the file size plus a tenth.
    let share = Double(size - bytes) / Double(size) + 0.1
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
    let isFresh = lstat(mark, &facts) == 0 && abs(clock.now.seconds - Int64(facts.st_mtim.tv_sec)) < 86_400
    guard readOnly == nil, !isFresh else { return }
    let descriptor = open(mark, O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    futimens(descriptor, nil)
    close(descriptor)
    try? prune()
  }

  /// Returns a change in its stored form.
  ///
  /// Its pictures are on disk when this function returns.
  func storedChange(_ change: Change, isRelative: Bool) throws(JournalError) -> StoredChange {
    do {
      return try StoredChange(change, isRelative: isRelative, in: blobs)
    } catch {
      guard case .quota = error else { throw error }
      try evict(for: change.pictureBytes)
      return try StoredChange(change, isRelative: isRelative, in: blobs)
    }
  }

  /// Removes pictures until `bytes` leave a quarter of the quota free: first those sent by finished writes, then
  /// backups, oldest first.
  ///
  /// Pictures of pending writes are never removed, nor those younger than `young` seconds, which may belong to a write
  /// that is about to be planned.
  func evict(for bytes: Int, young: Int64 = 600) throws(JournalError) {
    let pictured =
      "SELECT change FROM op WHERE kind IN (\(sqlList(.create, .patch))) AND change LIKE '%\"pictures\":[\"%' AND state "
    let (spare, open) = try read { database in
      let saved = try String.fetchAll(database, sql: "SELECT sha FROM saved ORDER BY rowid")
      let settled = try String.fetchAll(database, sql: pictured + "NOT IN (\(Journal.openStates)) ORDER BY n")
      let held = try String.fetchAll(database, sql: pictured + "IN (\(Journal.openStates))")
      let stored = Set(saved)
      return (Journal.pictures(settled).filter { !stored.contains($0) } + saved, Set(Journal.pictures(held)))
    }
    var excess = blobs.used() + bytes - blobs.quota / 4 * 3
    for name in spare where excess > 0 && !open.contains(name) && blobs.age(name, clock) >= young {
      excess -= blobs.size(name)
      blobs.remove(name)
    }
  }

  /// The SQL list of states of writes that may still be sent or have no verdict.
  static let openStates = quoted(WriteStateMachine.State.open)

  private static func pictures(_ changes: [String]) -> [String] {
    changes.flatMap { JSONColumn.decode(StoredChange.self, $0)?.pictures ?? [] }
  }

  /// Returns whether the picture is already saved, and then renews it as if it were saved now.
  func touch(_ address: String) throws(JournalError) -> Bool {
    let sha = try read { try String.fetchOne($0, sql: "SELECT sha FROM saved WHERE address = ?", arguments: [address]) }
    guard let sha, blobs.bytes(sha) != nil, blobs.renew(sha) else { return false }
    try write(durable: false) { database in
      try database.execute(
        sql: "UPDATE saved SET at = ? WHERE address = ?", arguments: [clock.now.description, address])
    }
    return true
  }

  /// Saves a picture of a product before it is deleted or its pictures are replaced.
  func backUp(_ picture: PictureFile, from address: String) throws(JournalError) {
    if blobs.used() + picture.bytes.count > blobs.quota { try evict(for: picture.bytes.count) }
    let sha = try blobs.store(picture.bytes)
    try write(durable: false) { database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO saved VALUES(?, ?, ?, ?, ?)",
        arguments: [address, picture.name, picture.type, sha, clock.now.description])
    }
  }

  /// Returns a saved picture, or `nil` if it wasn't saved or is no longer stored.
  func backup(_ address: String) throws(JournalError) -> PictureFile? {
    let row = try read { database in
      try Row.fetchOne(database, sql: "SELECT * FROM saved WHERE address = ?", arguments: [address])
    }
    guard let row, let bytes = blobs.bytes(row["sha"]) else { return nil }
    return PictureFile(name: row["name"], type: row["type"], bytes: bytes)
  }

  /// Records a raw request before it is sent.
  ///
  /// It appears in the log and can't be undone.
  func beginRaw(
    _ request: RawRecord, for binding: WriteScope, by attribution: Attribution = Attribution(), note: String?,
    operation: String
  ) throws(JournalError) -> Int {
    let entry = try write(durable: true) { database in
      try database.execute(
        sql: """
          INSERT INTO op(id, session, attended, profile, base_url, vendor, kind, state, attempt, detail, note, depth,
            started, fingerprint, line, shown, actor, approver)
            VALUES(?, ?, 1, ?, ?, ?, \(sqlList(.raw)), \(quoted(.sending)), 1, ?, ?, 0, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          operation, session, binding.profile, binding.baseURL, binding.vendor, mask(request.summary),
          note.map(mask), clock.now.description, request.fingerprint, request.line, request.fingerprint == nil,
          mask(attribution.actor.description), attribution.approver.map(mask),
        ])
      let entry = Int(database.lastInsertedRowID)
      try insertEvent(database, entry, .sending, 1, request.summary)
      return entry
    }
    if request.fingerprint != nil { unshown.withLock { $0.append(entry) } }
    return entry
  }
}

extension Journal {
  /// Returns the exchanges of one write in the order of sending.
  ///
  /// The list is empty for a write that was never sent.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func exchanges(of n: Int) throws(JournalError) -> [StoredExchange] {
    try read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM exchange WHERE op = ? ORDER BY rowid", arguments: [n]).compactMap {
        JSONColumn.decode(StoredExchange.self, $0["exchange"])
      }
    }
  }

  /// Stores the exchanges of a write, in the transaction that records its result.
  func insertExchanges(_ database: Database, _ exchanges: [String], of entry: Int) throws {
    guard !exchanges.isEmpty else { return }
    let statement = try database.cachedStatement(sql: "INSERT INTO exchange(op, exchange) VALUES(?, ?)")
    for text in exchanges { try statement.execute(arguments: [entry, mask(text)]) }
  }
}
