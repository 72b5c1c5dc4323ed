import CZlib
import Foundation
import FoundationEssentials
import GRDB
import SQLiteSupport
import Synchronization

/// Every call of every session, in one file of the home; what was not used for long goes first.
package final class ExchangeStore: Sendable {
  private let path: String
  private let isNetwork: @Sendable () -> Bool
  private let quota: Int
  /// The file, opened when it is first needed.
  private let file = Mutex<SQLiteStore?>(nil)

  /// The maximum size of the file in bytes.
  package static let defaultQuota = 200 << 20
  /// The number of days after which an unused exchange is removed.
  private static let retentionDays = 90
  /// The fraction of the exchanges (1 / `evictionDivisor`) removed at once if there are too many.
  private static let evictionDivisor = 8

  /// Creates an archive.
  ///
  /// Its file is created when it is needed, in an existing folder.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - isNetwork: Returns whether the folder is on a file system on which processes can't share memory.
  ///   - quota: The maximum size in bytes.
  package init(
    at path: String, isNetwork: @escaping @Sendable () -> Bool = { false }, quota: Int = ExchangeStore.defaultQuota
  ) {
    self.path = path
    self.isNetwork = isNetwork
    self.quota = quota
  }

  /// Opens the file, or makes it.
  ///
  /// - Throws: `StoreError`.
  package func open() throws(StoreError) { _ = try opened() }

  /// Stores exchanges with their texts, and deletes the oldest ones above the quota.
  ///
  /// - Throws: `StoreError`; no exchange is stored then.
  package func add(_ calls: [(call: ExchangeRecord, content: Data)]) throws(StoreError) {
    let deflated = calls.compactMap { call, text in Zlib.deflate(text).map { (call, text.count, $0) } }
    try opened().write { database in
      let call = try database.cachedStatement(
        sql: """
          INSERT INTO call(session, started, duration, profile, base, method, path, status, size, type, used)
            VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """)
      let content = try database.cachedStatement(sql: "INSERT INTO content(n, length, deflated) VALUES(?, ?, ?)")
      var (callRow, contentRow) = (RowBinder(call), RowBinder(content))
      for (one, length, deflated) in deflated {
        callRow.bind(one.session)
        callRow.bind(Int(one.started))
        callRow.bind(one.duration)
        for text in [one.profile, one.base, one.method, one.path] { callRow.bind(text) }
        callRow.bind(one.status)
        callRow.bind(one.size)
        callRow.bind(one.type)
        callRow.bind(Int(one.started))
        try callRow.insert()
        contentRow.bind(Int(database.lastInsertedRowID))
        contentRow.bind(length)
        contentRow.bind(deflated)
        try contentRow.insert()
      }
      if let last = deflated.last { try enforceQuota(database, now: last.0.started) }
    }
  }

  package static let version = schema.version

  /// The tables; the application id is `OMCL`.
  private static let schema = DatabaseSchema(
    applicationID: 0x4F4D_434C,
    migrations: [
      {
        try $0.execute(
          sql: """
            CREATE TABLE call(
              n INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, started INTEGER NOT NULL,
              duration INTEGER NOT NULL, profile TEXT NOT NULL, base TEXT NOT NULL, method TEXT NOT NULL,
              path TEXT NOT NULL, status INTEGER, size INTEGER NOT NULL, type TEXT, used INTEGER NOT NULL);
            CREATE TABLE content(n INTEGER PRIMARY KEY, length INTEGER NOT NULL, deflated BLOB NOT NULL);
            CREATE INDEX call_used ON call(used);
            """)
      }
    ])

  private func opened() throws(StoreError) -> SQLiteStore {
    try file.withLock { file throws(StoreError) in
      if let file { return file }
      let new = try SQLiteStore(path, ExchangeStore.schema, isNetwork: isNetwork())
      file = new
      return new
    }
  }

  /// Returns the newest exchanges first, until there are `limit` that satisfy `isWanted`.
  ///
  /// With a `session`, only the exchanges of that shell.
  ///
  /// - Throws: `StoreError`.
  package func list(
    limit: Int, session: String? = nil, where isWanted: (ExchangeRecord) -> Bool = { _ in true }
  ) throws(StoreError) -> [ExchangeRecord] {
    try opened().read { database in
      let rows = try Row.fetchCursor(
        database, sql: "SELECT * FROM call WHERE ?1 IS NULL OR session = ?1 ORDER BY n DESC", arguments: [session])
      var found: [ExchangeRecord] = []
      while found.count < limit, let row = try rows.next() {
        let call = ExchangeRecord(row)
        if isWanted(call) { found.append(call) }
      }
      return found
    }
  }

  /// Returns the number of exchanges.
  ///
  /// - Throws: `StoreError`.
  package func count() throws(StoreError) -> Int {
    try opened().read { database in try Int.fetchOne(database, sql: "SELECT count(*) FROM call") ?? 0 }
  }

  /// Returns one exchange with its text, or `nil` if it isn't stored (any more), and marks it as used at `now`, in
  /// milliseconds since 1970.
  ///
  /// - Throws: `StoreError`.
  package func call(_ number: Int, now: Int64) throws(StoreError) -> (call: ExchangeRecord, content: Data)? {
    let file = try opened()
    let found = try file.read { database -> (ExchangeRecord, Data)? in
      guard
        let row = try Row.fetchOne(
          database, sql: "SELECT * FROM call JOIN content USING(n) WHERE n = ?", arguments: [number]),
        let content = Zlib.inflate(row["deflated"], size: row["length"])
      else { return nil }
      return (ExchangeRecord(row), content)
    }
    // Recording the use must not fail the command: the file may be locked, or the disk full.
    if found != nil {
      try? file.write { database in
        try database.execute(sql: "UPDATE call SET used = max(used, ?) WHERE n = ?", arguments: [now, number])
      }
    }
    return found
  }

  /// Removes the least recently used exchanges if there are too many bytes or if they are too old.
  private func enforceQuota(_ database: Database, now: Int64) throws {
    let limit = now - Int64(ExchangeStore.retentionDays) * 86_400_000
    let oldest = try Int64.fetchOne(database, sql: "SELECT min(used) FROM call")
    if let oldest, oldest < limit { try deleteExchanges(database, where: "used < \(limit)") }
    while try bytes(database) > quota {
      let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM call") ?? 0
      if count == 0 { return }
      try deleteExchanges(
        database,
        where: "n IN (SELECT n FROM call ORDER BY used LIMIT \(max(1, count / ExchangeStore.evictionDivisor)))")
    }
  }

  private func deleteExchanges(_ database: Database, where condition: String) throws {
    try database.execute(sql: "DELETE FROM content WHERE n IN (SELECT n FROM call WHERE \(condition))")
    try database.execute(sql: "DELETE FROM call WHERE n NOT IN (SELECT n FROM content)")
    try database.execute(sql: "PRAGMA incremental_vacuum")
  }

  /// Returns the size of the pages in use.
  private func bytes(_ database: Database) throws -> Int {
    func pragma(_ name: String) throws -> Int { try Int.fetchOne(database, sql: "PRAGMA \(name)") ?? 0 }
    return try (pragma("page_count") - pragma("freelist_count")) * pragma("page_size")
  }
}

/// One request and its response as stored in the archive: the searchable values as columns, everything else in a
/// compressed text whose format the writer defines.
///
/// The writer has removed the secrets.
package struct ExchangeRecord: Hashable, Sendable {
  /// The number assigned by the archive; 0 before.
  package var number = 0
  /// The shell that sent the request.
  package var session: String
  /// Milliseconds since 1970, UTC.
  package var started: Int64
  /// The microseconds until the last byte of the response.
  package var duration: Int
  package var profile: String
  package var base: String
  package var method: String
  /// The request target with its query, as it was sent.
  package var path: String
  /// The HTTP status, or `nil` if no complete response was received.
  package var status: Int?
  /// The size of the response body in bytes.
  package var size: Int
  /// The `Content-Type` of the response.
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

extension ExchangeRecord {
  init(_ row: Row) {
    self.init(
      session: row["session"], started: row["started"], duration: row["duration"], profile: row["profile"],
      base: row["base"], method: row["method"], path: row["path"], status: row["status"], size: row["size"],
      type: row["type"])
    number = row["n"]
  }
}

/// Bytes as they lie in an archive: deflated in the format of zlib (RFC 1950), without a size or a name of their own,
/// or as they are if they are short or don't become smaller.
///
/// A page of a list shrinks to about a sixth; the fastest level is used, because what is archived is read rarely.
enum Zlib {
  /// The number of bytes below which data isn't deflated.
  ///
  /// The exchanges of a scan, most of which are stored without a body, would shrink from 600 to 420 bytes, and the scan
  /// of 1,000 pages take 121 in place of 114 ms.
  private static let minimumSize = 1_024

  /// Returns the archived form, or `nil` if memory is insufficient, which is the only possible error.
  static func deflate(_ data: Data) -> Data? {
    guard data.count >= minimumSize else { return data }
    var size = compressBound(UInt(data.count))
    var result = Data(count: Int(size))
    let code = result.withUnsafeMutableBytes { target in
      data.withUnsafeBytes { source in
        compress2(
          target.bindMemory(to: UInt8.self).baseAddress, &size, source.bindMemory(to: UInt8.self).baseAddress,
          UInt(data.count), Z_BEST_SPEED)
      }
    }
    guard code == Z_OK else { return nil }
    return size < UInt(data.count) ? Data(result.prefix(Int(size))) : data
  }

  /// Returns the data that was archived, or `nil` if it is invalid or doesn't have `size` bytes.
  static func inflate(_ data: Data, size: Int) -> Data? {
    guard data.count != size else { return data }
    guard (0...(1 << 30)).contains(size) else { return nil }
    // An empty buffer has no address.
    var result = Data(count: max(size, 1))
    var length = UInt(size)
    let code = result.withUnsafeMutableBytes { target in
      data.withUnsafeBytes { source in
        uncompress(
          target.bindMemory(to: UInt8.self).baseAddress, &length, source.bindMemory(to: UInt8.self).baseAddress,
          UInt(data.count))
      }
    }
    guard code == Z_OK, length == size else { return nil }
    return Data(result.prefix(size))
  }
}
