import Catalog
import Foundation
import GRDB
import Glibc

extension Journal {
  /// Forgets what ended more than `days` ago, and pictures nothing needs any more. Open writes and questions stay however
  /// old they are.
  ///
  /// - Parameter young: pictures kept since so many seconds stay in any case.
  package func sweep(days: Int64 = 90, young: Int64 = 86_400) throws(JournalFailure) {
    let edge = Moment(seconds: clock.wall.seconds - days * 86_400, isUTC: true).description
    let needed = try write(durable: false) { database in
      try database.execute(
        sql: """
          DELETE FROM op WHERE started < ? AND attended = 0 AND state NOT IN ('sending', 'unknown', 'asked', 'planned')
          """, arguments: [edge])
      try database.execute(sql: "DELETE FROM event WHERE op NOT IN (SELECT n FROM op)")
      try database.execute(sql: "DELETE FROM exchange WHERE op NOT IN (SELECT n FROM op)")
      try database.execute(sql: "DELETE FROM saved WHERE at < ?", arguments: [edge])
      try endWatch(database)
      let changes = try String.fetchAll(
        database, sql: "SELECT change FROM op WHERE kind IN ('create', 'patch') AND change LIKE '%\"pictures\":[\"%'")
      let saved = try String.fetchAll(database, sql: "SELECT sha FROM saved")
      let dead = try String.fetchAll(database, sql: "SELECT id FROM session").filter { !isAlive($0) }
      for session in dead {
        try database.execute(
          sql: "DELETE FROM session WHERE id = ? AND id NOT IN (SELECT session FROM op)", arguments: [session])
        try? FileManager.default.removeItem(atPath: directory + "/sessions/" + session + ".lock")
      }
      return Set(saved).union(Journal.pictures(changes))
    }
    // A draft of a blob has a dot in its name; a young one may belong to a write that another shell is about to plan.
    for name in blobs.names() where !needed.contains(name) && !name.contains(".") && blobs.age(name, clock) > young {
      blobs.remove(name)
    }
  }

  /// `sweep`, once a day for all shells together; one that fails is tried again the next day.
  package func sweepDaily() {
    let mark = directory + "/swept"
    var facts = stat()
    let isFresh = lstat(mark, &facts) == 0 && clock.wall.seconds - Int64(facts.st_mtim.tv_sec) < 86_400
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
      "SELECT change FROM op WHERE kind IN ('create', 'patch') AND change LIKE '%\"pictures\":[\"%' AND state "
    let (spare, open) = try read { database in
      let saved = try String.fetchAll(database, sql: "SELECT sha FROM saved ORDER BY at")
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
  static let openStates = "'planned', 'ready', 'sending', 'unknown', 'asked', 'unsent', 'notApplied'"

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
            started) VALUES(?, ?, 1, ?, ?, ?, 'raw', 'sending', 1, ?, ?, 0, ?)
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
