import Catalog
import GRDB

extension Journal {
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

  /// Returns the hashes of the pictures of changes in their stored form.
  static func pictures(_ changes: [String]) -> [String] {
    changes.flatMap { JSONColumn.decode(StoredChange.self, $0)?.pictures ?? [] }
  }
}
