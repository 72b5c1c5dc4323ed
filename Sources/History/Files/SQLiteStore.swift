import Foundation
import GRDB
import SQLiteSupport

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
  ///   - path: The path.
  ///   - schema: The tables; a file of another program is left as it is.
  ///   - isNetwork: Whether the folder cannot share memory between programs, which a write-ahead log needs.
  /// - Throws: `StoreError`.
  init(_ path: String, _ schema: DatabaseSchema, isNetwork: Bool) throws(StoreError) {
    self.path = path
    let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .unreachable(path: path, reason: String(cString: strerror(errno))) }
    close(file)
    var configuration = Configuration()
    configuration.busyMode = .timeout(Double(SQLiteStore.busyTimeoutMilliseconds) / 1000)
    configuration.prepareDatabase { database in
      // First of all: what follows writes to the file.
      if try schema.isForeign(database) { throw StoreError.foreign(path: path) }
      try database.execute(sql: "PRAGMA synchronous = OFF")
      // It is stored in the file, and setting it again would write to the file.
      if try schema.isNew(database) { try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL") }
      try database.setJournalMode(
        isNetwork: isNetwork, timeout: .milliseconds(SQLiteStore.busyTimeoutMilliseconds))
    }
    do {
      queue = try DatabaseQueue(path: path, configuration: configuration)
      let found = try queue.writeWithoutTransaction(schema.migrate)
      guard found <= schema.version else { throw StoreError.newer(path: path, version: found) }
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
    default: return .unreachable(path: path, reason: error.reason)
    }
  }
}
