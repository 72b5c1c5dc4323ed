import Foundation
import GRDB
import Synchronization

/// One request and its answer, as it lies in the archive: what can be asked about as columns, everything else in a text
/// of the writer's own, deflated. Who writes it has taken the secrets out.
package struct StoredCall: Hashable, Sendable {
  /// Given by the archive; 0 before.
  package var number = 0
  /// The shell that made it.
  package var session: String
  /// Milliseconds since 1970, UTC.
  package var started: Int64
  /// Microseconds to the last byte of the answer.
  package var duration: Int
  package var profile: String
  package var base: String
  package var method: String
  /// With its query, as it stood on the wire.
  package var path: String
  /// Nil when no complete answer came.
  package var status: Int?
  /// Bytes of the answer's body.
  package var size: Int
  /// `Content-Type` of the answer.
  package var type: String?

  package init(
    session: String, started: Int64, duration: Int, profile: String, base: String, method: String, path: String,
    status: Int?, size: Int, type: String?
  ) {
    self.session = session
    self.started = started
    self.duration = duration
    self.profile = profile
    self.base = base
    self.method = method
    self.path = path
    self.status = status
    self.size = size
    self.type = type
  }
}

/// Every call of every session, in one file of the home; what was not used for long goes first.
package final class CallStore: Sendable {
  /// Raised with any change that an older program could misread.
  package static let version = 1

  private let file: ArchiveFile
  private let quota: Int
  /// When the call was used that nobody used for longest, or earlier: milliseconds since 1970.
  private let oldest: Mutex<Int64>

  /// Bytes that the file may take.
  package static let usualQuota = 200 << 20
  /// Days after which a call that nobody looked at is forgotten.
  private static let mostDays = 90
  /// The part that is let go at once when there is too much.
  private static let share = 8

  /// Opens or makes the file.
  ///
  /// - Throws: `ArchiveFailure`.
  package init(at path: String, isNetwork: Bool = false, quota: Int = CallStore.usualQuota) throws(ArchiveFailure) {
    self.quota = quota
    file = try ArchiveFile(path, version: CallStore.version, isNetwork: isNetwork) { database, _ in
      try database.execute(
        sql: """
          CREATE TABLE call(
            n INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, started INTEGER NOT NULL,
            duration INTEGER NOT NULL, profile TEXT NOT NULL, base TEXT NOT NULL, method TEXT NOT NULL,
            path TEXT NOT NULL, status INTEGER, size INTEGER NOT NULL, type TEXT, used INTEGER NOT NULL);
          CREATE TABLE content(n INTEGER PRIMARY KEY, length INTEGER NOT NULL, deflated BLOB NOT NULL);
          CREATE INDEX call_used ON call(used);
          """)
    }
    // Now, while an answer is waited for, and not when it is to be kept.
    oldest = Mutex(
      try file.read { database in
        for line in [CallStore.callLine, CallStore.contentLine] { _ = try database.cachedStatement(sql: line) }
        return try CallStore.oldest(database)
      })
  }

  private static let callLine = """
    INSERT INTO call(session, started, duration, profile, base, method, path, status, size, type, used)
      VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
  private static let contentLine = "INSERT INTO content(n, length, deflated) VALUES(?, ?, ?)"

  private static func oldest(_ database: Database) throws -> Int64 {
    try Int64.fetchOne(database, sql: "SELECT min(used) FROM call") ?? .max
  }

  /// Keeps calls with their texts, and forgets others where there are too many.
  ///
  /// - Throws: `ArchiveFailure`; none of them is kept then.
  package func add(_ calls: [(call: StoredCall, content: Data)]) throws(ArchiveFailure) {
    let deflated = calls.compactMap { pair in Deflated.deflate(pair.content).map { (pair.call, pair.content.count, $0) }
    }
    try file.write { database in
      let call = try database.cachedStatement(sql: CallStore.callLine)
      let content = try database.cachedStatement(sql: CallStore.contentLine)
      for (one, length, bytes) in deflated {
        try call.execute(arguments: [
          one.session, one.started, one.duration, one.profile, one.base, one.method, one.path, one.status, one.size,
          one.type, one.started,
        ])
        try content.execute(arguments: [database.lastInsertedRowID, length, bytes])
      }
      guard let first = calls.first, let last = calls.last else { return }
      oldest.withLock { $0 = min($0, first.call.started) }
      try shrink(database, now: last.call.started)
    }
  }

  /// The newest first; `isWanted` is asked of each until there are enough.
  ///
  /// - Parameter session: of this shell alone; nil for all.
  /// - Throws: `ArchiveFailure`.
  package func list(
    limit: Int, session: String? = nil, where isWanted: (StoredCall) -> Bool = { _ in true }
  ) throws(ArchiveFailure) -> [StoredCall] {
    try file.read { database in
      let rows = try Row.fetchCursor(
        database, sql: "SELECT * FROM call WHERE ?1 IS NULL OR session = ?1 ORDER BY n DESC", arguments: [session])
      var found: [StoredCall] = []
      while found.count < limit, let row = try rows.next() {
        let call = StoredCall(row)
        if isWanted(call) { found.append(call) }
      }
      return found
    }
  }

  /// One call with its text; nil where it is not there, or not any more. It counts as used now.
  ///
  /// - Parameter now: milliseconds since 1970.
  /// - Throws: `ArchiveFailure`.
  package func call(_ number: Int, now: Int64) throws(ArchiveFailure) -> (call: StoredCall, content: Data)? {
    let found = try file.read { database -> (StoredCall, Data)? in
      guard
        let row = try Row.fetchOne(
          database, sql: "SELECT * FROM call JOIN content USING(n) WHERE n = ?", arguments: [number]),
        let content = Deflated.inflate(row["deflated"], size: row["length"])
      else { return nil }
      return (StoredCall(row), content)
    }
    // That it was used is not worth a failure: the file may be another's, or full.
    if found != nil {
      try? file.write { database in
        try database.execute(sql: "UPDATE call SET used = max(used, ?) WHERE n = ?", arguments: [now, number])
      }
    }
    return found
  }

  /// Lets the least used go where there are too many bytes or days; most of the time the file's size is all that is asked.
  private func shrink(_ database: Database, now: Int64) throws {
    let limit = now - Int64(CallStore.mostDays) * 86_400_000
    if oldest.withLock({ $0 }) < limit {
      try forget(database, where: "used < \(limit)")
      let left = try CallStore.oldest(database)
      oldest.withLock { $0 = left }
    } else if file.size > quota, try bytes(database) > quota {
      let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM call") ?? 0
      try forget(
        database, where: "n IN (SELECT n FROM call ORDER BY used LIMIT \(max(1, count / CallStore.share)))")
    }
  }

  private func forget(_ database: Database, where condition: String) throws {
    try database.execute(sql: "DELETE FROM content WHERE n IN (SELECT n FROM call WHERE \(condition))")
    try database.execute(sql: "DELETE FROM call WHERE n NOT IN (SELECT n FROM content)")
    try database.execute(sql: "PRAGMA incremental_vacuum")
  }

  /// Of pages that hold something.
  private func bytes(_ database: Database) throws -> Int {
    func pragma(_ name: String) throws -> Int { try Int.fetchOne(database, sql: "PRAGMA \(name)") ?? 0 }
    return try (pragma("page_count") - pragma("freelist_count")) * pragma("page_size")
  }
}

extension StoredCall {
  fileprivate init(_ row: Row) {
    self.init(
      session: row["session"], started: row["started"], duration: row["duration"], profile: row["profile"],
      base: row["base"], method: row["method"], path: row["path"], status: row["status"], size: row["size"],
      type: row["type"])
    number = row["n"]
  }
}
