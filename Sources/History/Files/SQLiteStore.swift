import Foundation
import GRDB

/// An SQLite file in the home folder that several shells write concurrently and that isn't essential: commits don't
/// wait for the disk, and lock timeouts are short.
struct SQLiteStore: Sendable {
  private let path: String
  let queue: DatabaseQueue

  /// The milliseconds to wait for a lock of another shell.
  private static let busyTimeoutMilliseconds = 500
  /// The maximum size of the write-ahead log in bytes.
  ///
  /// An exchange takes about thirty thousand.
  private static let maxWALBytes = 1 << 17

  /// Opens or makes the file, for this user alone.
  ///
  /// - Parameters:
  ///   - application: the file's `PRAGMA application_id`; a file with another one, or with tables and none, is another
  ///     program's and is left as it is.
  ///   - version: of the tables that `prepare` makes; raised with any change that an older program could misread.
  ///   - isNetwork: the folder cannot share memory between programs, which a write-ahead log needs.
  ///   - prepare: makes what the file lacks, from the version that it has.
  /// - Throws: `StoreError`.
  init(
    _ path: String, application: Int, version: Int, isNetwork: Bool, _ prepare: @Sendable (Database, Int) throws -> Void
  ) throws(StoreError) {
    self.path = path
    let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .unreachable(path: path, reason: String(cString: strerror(errno))) }
    close(file)
    var configuration = Configuration()
    configuration.busyMode = .timeout(Double(SQLiteStore.busyTimeoutMilliseconds) / 1000)
    configuration.prepareDatabase { database in
      // First of all: what follows writes to the file.
      let found = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
      let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
      if found != application, found != 0 || tables > 0 { throw StoreError.foreign(path: path) }
      try database.execute(sql: "PRAGMA synchronous = OFF")
      try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
      try database.execute(sql: "PRAGMA journal_mode = \(isNetwork ? "DELETE" : "WAL")")
    }
    do {
      queue = try DatabaseQueue(path: path, configuration: configuration)
      let found = try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
      guard found <= version else { throw StoreError.newer(path: path, version: found) }
      if found < version {
        try queue.writeWithoutTransaction { database in
          try database.inTransaction(.immediate) {
            // Another shell may have created them while this one waited for the lock.
            let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            if found < version { try prepare(database, found) }
            try database.execute(sql: "PRAGMA application_id = \(application)")
            try database.execute(sql: "PRAGMA user_version = \(version)")
            return .commit
          }
        }
      }
    } catch {
      throw SQLiteStore.failure(error, path)
    }
  }

  func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do { return try queue.unsafeRead(body) } catch { throw SQLiteStore.failure(error, path) }
  }

  /// Runs one transaction that takes the write lock at its beginning.
  func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      let value = try queue.write(body)
      checkpointWAL()
      return value
    } catch {
      throw SQLiteStore.failure(error, path)
    }
  }

  /// Truncates the write-ahead log if it is long.
  ///
  /// SQLite restarts the log only in a program that writes twice. A program that writes once and ends leaves its log,
  /// which the next program reads and appends to, so the log would grow with every start.
  private func checkpointWAL() {
    var facts = stat()
    guard stat(path + "-wal", &facts) == 0, Int(facts.st_size) > SQLiteStore.maxWALBytes else { return }
    // This doesn't wait for readers in other shells; the next write tries again.
    try? queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA busy_timeout = 0")
      defer { try? database.execute(sql: "PRAGMA busy_timeout = \(SQLiteStore.busyTimeoutMilliseconds)") }
      try database.checkpoint(.truncate)
    }
  }

  /// Runs one transaction on this connection's temporary tables, which takes no lock on the file.
  func writeTemporary(_ body: (Database) throws -> Void) throws(StoreError) {
    do {
      try queue.writeWithoutTransaction { database in
        try database.inTransaction(.deferred) {
          try body(database)
          return .commit
        }
      }
    } catch {
      throw SQLiteStore.failure(error, path)
    }
  }

  private static func failure(_ error: any Error, _ path: String) -> StoreError {
    if let failure = error as? StoreError { return failure }
    guard let error = error as? DatabaseError else { return .damaged(path: path) }
    switch error.resultCode {
    case .SQLITE_FULL: return .diskFull
    case .SQLITE_BUSY, .SQLITE_LOCKED: return .busy
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: return .damaged(path: path)
    default:
      let reason = "SQLite \(error.extendedResultCode.rawValue): \(error.message ?? "no message")"
      return .unreachable(path: path, reason: reason)
    }
  }
}
