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
///
/// Calls are put into a file beside it, and taken in when somebody asks about calls or when that file is long.
package final class CallStore: Sendable {
  /// Raised with any change that an older program could misread.
  package static let version = 1

  private let path: String
  private let isNetwork: @Sendable () -> Bool
  private let quota: Int
  private let spool: CallSpool
  /// Opened when it is needed first.
  private let file = Mutex<ArchiveFile?>(nil)

  /// Bytes that the file may take.
  package static let usualQuota = 200 << 20
  /// Days after which a call that nobody looked at is forgotten.
  private static let mostDays = 90
  /// The part that is let go at once when there is too much.
  private static let share = 8
  /// The part of the quota that may wait to be taken in.
  private static let waitingShare = 6

  /// - Parameters:
  ///   - path: of the file, in a folder that is there; it is made when it is needed.
  ///   - isNetwork: the folder cannot share memory between programs.
  package init(
    at path: String, isNetwork: @escaping @Sendable () -> Bool = { false }, quota: Int = CallStore.usualQuota
  ) {
    self.path = path
    self.isNetwork = isNetwork
    self.quota = quota
    spool = CallSpool(at: path + "-spool")
  }

  /// Keeps calls with their texts.
  ///
  /// - Throws: `ArchiveFailure`; none of them is kept then.
  package func add(_ calls: [(call: StoredCall, content: Data)]) throws(ArchiveFailure) {
    if spool.size > quota / CallStore.waitingShare { try takeIn() }
    try spool.append(calls)
  }

  /// Takes in what waits beside the archive, which is made where there is none, and forgets calls where there are too many.
  ///
  /// - Throws: `ArchiveFailure`; everything waits on then.
  package func takeIn() throws(ArchiveFailure) {
    let file = try opened()
    try spool.drain { reader throws(ArchiveFailure) in
      try file.write { database in
        // Another shell may have ended between taking them in and emptying the file.
        try database.execute(sql: "CREATE TABLE IF NOT EXISTS taken(filling BLOB NOT NULL, bytes INTEGER NOT NULL)")
        let taken = try Int.fetchOne(
          database, sql: "SELECT bytes FROM taken WHERE filling = ?", arguments: [reader.filling])
        if let taken { reader.skip(to: taken) }
        let call = try database.cachedStatement(
          sql: """
            INSERT INTO call(session, started, duration, profile, base, method, path, status, size, type, used)
              VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        let content = try database.cachedStatement(sql: "INSERT INTO content(n, length, deflated) VALUES(?, ?, ?)")
        var last: Int64?
        while let (one, text) = reader.next() {
          guard let deflated = Deflated.deflate(text) else { continue }
          try call.execute(arguments: [
            one.session, one.started, one.duration, one.profile, one.base, one.method, one.path, one.status, one.size,
            one.type, one.started,
          ])
          try content.execute(arguments: [database.lastInsertedRowID, text.count, deflated])
          last = one.started
        }
        try database.execute(sql: "DELETE FROM taken")
        try database.execute(sql: "INSERT INTO taken VALUES(?, ?)", arguments: [reader.filling, reader.place])
        if let last { try shrink(database, now: last) }
      }
    }
  }

  private func opened() throws(ArchiveFailure) -> ArchiveFile {
    try file.withLock { file throws(ArchiveFailure) in
      if let file { return file }
      // `OMCL`.
      let kind = FileKind(application: 0x4F4D_434C, table: "call")
      let new = try ArchiveFile(path, kind, version: CallStore.version, isNetwork: isNetwork()) { database, _ in
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
      file = new
      return new
    }
  }

  /// With everything that waited; where it cannot be taken in just now, as it is.
  private func current() throws(ArchiveFailure) -> ArchiveFile {
    let file = try opened()
    do { try takeIn() } catch .busy, .diskFull {} catch { throw error }
    return file
  }

  /// The newest first; `isWanted` is asked of each until there are enough.
  ///
  /// - Parameter session: of this shell alone; nil for all.
  /// - Throws: `ArchiveFailure`.
  package func list(
    limit: Int, session: String? = nil, where isWanted: (StoredCall) -> Bool = { _ in true }
  ) throws(ArchiveFailure) -> [StoredCall] {
    try current().read { database in
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
    let file = try current()
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

  /// Lets the least used go where there are too many bytes or days.
  private func shrink(_ database: Database, now: Int64) throws {
    let limit = now - Int64(CallStore.mostDays) * 86_400_000
    let oldest = try Int64.fetchOne(database, sql: "SELECT min(used) FROM call")
    if let oldest, oldest < limit { try forget(database, where: "used < \(limit)") }
    while try bytes(database) > quota {
      let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM call") ?? 0
      if count == 0 { return }
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
