import Catalog
import Foundation
import GRDB
import Glibc

extension Journal {
  /// Forgets what ended before the newest `entries` writes and does not fit into `bytes` of records, and pictures nothing
  /// needs any more. Open writes and questions stay however old they are. The order is the journal's own: no clock, right
  /// or wrong, deletes anything.
  ///
  /// - Parameters:
  ///   - entries: so many of the newest writes stay, as long as they fit into `bytes`.
  ///   - pictures: so many of those saved last stay.
  /// - Throws: `JournalFailure` where the log cannot be read or written.
  package func sweep(
    entries: Int = 100_000, bytes: Int = 1 << 30, pictures: Int = 20_000
  ) throws(JournalFailure) {
    let needed = try write(durable: false) { database in
      try database.execute(
        sql: """
          DELETE FROM op WHERE n <= ? AND attended = 0 AND state NOT IN (\(Journal.openStates))
          """, arguments: [try edge(database, entries, bytes)])
      try database.execute(sql: "DELETE FROM event WHERE op NOT IN (SELECT n FROM op)")
      try database.execute(sql: "DELETE FROM exchange WHERE op NOT IN (SELECT n FROM op)")
      try database.execute(
        sql:
          "DELETE FROM saved WHERE rowid NOT IN (SELECT rowid FROM saved ORDER BY rowid DESC LIMIT ?)",
        arguments: [pictures])
      try endWatch(database)
      let changes = try String.fetchAll(
        database,
        sql: "SELECT change FROM op WHERE kind IN (\(quoted(.create, .patch))) AND change LIKE '%\"pictures\":[\"%'")
      let saved = try String.fetchAll(database, sql: "SELECT sha FROM saved")
      let dead = try String.fetchAll(database, sql: "SELECT id FROM session").filter { !isAlive($0) }
      for session in dead {
        try database.execute(
          sql: "DELETE FROM session WHERE id = ? AND id NOT IN (SELECT session FROM op)", arguments: [session])
        try? FileManager.default.removeItem(atPath: directory + "/sessions/" + session + ".lock")
      }
      return Set(saved).union(Journal.pictures(changes))
    }
    // A draft of a blob has a dot in its name. One that was not needed at the sweep before either, and has not been kept
    // again since, belongs to no write that another shell is about to plan.
    let spare = blobs.names().filter { !needed.contains($0) && !$0.contains(".") }
    let marks = Dictionary(spare.map { ($0, blobs.mark($0)) }) { $1 }
    let before = try spareMarks(replacedBy: marks)
    for name in spare where before[name] == marks[name] { blobs.remove(name) }
  }

  /// The last entry that is too old to stay.
  private func edge(_ database: Database, _ entries: Int, _ bytes: Int) throws -> Int {
    let newest = try Int.fetchOne(database, sql: "SELECT max(n) FROM op") ?? 0
    // What was forgotten leaves empty pages behind, which new records fill.
    let empty = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
    let pages = (try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0) - empty
    let size = pages * (try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
    let edge = newest - entries
    guard size > bytes else { return edge }
    let oldest = try Int.fetchOne(database, sql: "SELECT min(n) FROM op") ?? 0
    // As large a share of the entries goes as the file is too large, and a tenth more.
    let share = Double(size - bytes) / Double(size) + 0.1
    return max(edge, oldest + Int(Double(newest - oldest) * min(share, 1)))
  }

  /// Remembers which pictures nothing needs, and when each was kept; answers with those of the sweep before.
  private func spareMarks(replacedBy marks: [String: String]) throws(JournalFailure) -> [String: String] {
    try write(durable: false) { database in
      let rows = try Row.fetchAll(database, sql: "SELECT name, mark FROM spare")
      try database.execute(sql: "DELETE FROM spare")
      for (name, mark) in marks {
        try database.execute(sql: "INSERT INTO spare VALUES(?, ?)", arguments: [name, mark])
      }
      return Dictionary(rows.map { ($0["name"] as String, $0["mark"] as String) }) { $1 }
    }
  }

  /// `sweep`, once a day for all shells together; one that fails is tried again the next day.
  package func sweepDaily() {
    let mark = directory + "/swept"
    var facts = stat()
    let isFresh = lstat(mark, &facts) == 0 && abs(clock.wall.seconds - Int64(facts.st_mtim.tv_sec)) < 86_400
    guard readOnly == nil, !isFresh else { return }
    let descriptor = open(mark, O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    futimens(descriptor, nil)
    close(descriptor)
    try? sweep()
  }

  /// A change as the journal keeps it. Its pictures are on disk when this returns.
  func stored(_ change: Change, isRelative: Bool) throws(JournalFailure) -> StoredChange {
    do {
      return try StoredChange(change, isRelative: isRelative, in: blobs)
    } catch {
      guard case .quota = error else { throw error }
      try makeRoom(for: change.pictureBytes)
      return try StoredChange(change, isRelative: isRelative, in: blobs)
    }
  }

  /// Gives up pictures that finished writes sent, then pictures saved so that something can be taken back, the oldest
  /// first, until these bytes leave a quarter of the quota free; never those of open writes, nor young ones, which may
  /// belong to a write that is about to be planned.
  ///
  /// - Parameter young: in seconds.
  func makeRoom(for bytes: Int, young: Int64 = 600) throws(JournalFailure) {
    let pictured =
      "SELECT change FROM op WHERE kind IN (\(quoted(.create, .patch))) AND change LIKE '%\"pictures\":[\"%' AND state "
    let (spare, open) = try read { database in
      let saved = try String.fetchAll(database, sql: "SELECT sha FROM saved ORDER BY rowid")
      let settled = try String.fetchAll(database, sql: pictured + "NOT IN (\(Journal.openStates)) ORDER BY n")
      let held = try String.fetchAll(database, sql: pictured + "IN (\(Journal.openStates))")
      let kept = Set(saved)
      return (Journal.pictures(settled).filter { !kept.contains($0) } + saved, Set(Journal.pictures(held)))
    }
    var excess = blobs.used() + bytes - blobs.quota / 4 * 3
    for name in spare where excess > 0 && !open.contains(name) && blobs.age(name, clock) >= young {
      excess -= blobs.size(name)
      blobs.remove(name)
    }
  }

  /// States of what may still be sent, or has no verdict.
  static let openStates = quoted(StateMachine.State.open)

  private static func pictures(_ changes: [String]) -> [String] {
    changes.flatMap { JSONText.read(StoredChange.self, $0)?.pictures ?? [] }
  }

  /// True when the picture is saved already; it is then kept as long as one that is saved now.
  func renew(_ address: String) throws(JournalFailure) -> Bool {
    let sha = try read { try String.fetchOne($0, sql: "SELECT sha FROM saved WHERE address = ?", arguments: [address]) }
    guard let sha, blobs.bytes(sha) != nil, blobs.renew(sha) else { return false }
    try write(durable: false) { database in
      try database.execute(
        sql: "UPDATE saved SET at = ? WHERE address = ?", arguments: [clock.wall.description, address])
    }
    return true
  }

  /// Keeps a picture of a product that is about to be deleted, or to get others.
  func save(_ picture: PictureFile, from address: String) throws(JournalFailure) {
    if blobs.used() + picture.bytes.count > blobs.quota { try makeRoom(for: picture.bytes.count) }
    let sha = try blobs.keep(picture.bytes)
    try write(durable: false) { database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO saved VALUES(?, ?, ?, ?, ?)",
        arguments: [address, picture.name, picture.type, sha, clock.wall.description])
    }
  }

  /// A picture saved before a delete or before others took its place; nil when it never was, or is gone.
  func saved(_ address: String) throws(JournalFailure) -> PictureFile? {
    let row = try read { database in
      try Row.fetchOne(database, sql: "SELECT * FROM saved WHERE address = ?", arguments: [address])
    }
    guard let row, let bytes = blobs.bytes(row["sha"]) else { return nil }
    return PictureFile(name: row["name"], type: row["type"], bytes: bytes)
  }

  /// A request that knows no product: written down before it is sent, shown in the log, never undone.
  func beginRaw(_ summary: String, for binding: Binding, note: String?, operation: String) throws(JournalFailure) -> Int
  {
    try write(durable: true) { database in
      try database.execute(
        sql: """
          INSERT INTO op(id, session, attended, profile, base_url, vendor, kind, state, attempt, detail, note, depth,
            started) VALUES(?, ?, 1, ?, ?, ?, \(quoted(.raw)), \(quoted(.sending)), 1, ?, ?, 0, ?)
          """,
        arguments: [
          operation, session, binding.profile, binding.baseURL, binding.vendor, mask(summary), note.map(mask),
          clock.wall.description,
        ])
      let entry = Int(database.lastInsertedRowID)
      try event(database, entry, .sending, 1, summary)
      return entry
    }
  }
}

extension Journal {
  /// The requests that one write sent and what answered each, in the order they were sent; empty for a write that never
  /// left, and for those of a journal from before exchanges were kept.
  ///
  /// - Throws: `JournalFailure` where the log cannot be read.
  package func exchanges(of n: Int) throws(JournalFailure) -> [KeptExchange] {
    try read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM exchange WHERE op = ? ORDER BY rowid", arguments: [n]).compactMap {
        JSONText.read(KeptExchange.self, $0["exchange"])
      }
    }
  }

  /// Adds what was sent for a write; in the transaction that says how it went.
  func keep(_ database: Database, _ exchanges: [String], of entry: Int) throws {
    guard !exchanges.isEmpty else { return }
    let statement = try database.cachedStatement(sql: "INSERT INTO exchange(op, exchange) VALUES(?, ?)")
    for text in exchanges { try statement.execute(arguments: [entry, mask(text)]) }
  }
}
