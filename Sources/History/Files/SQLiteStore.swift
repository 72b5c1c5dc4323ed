import Foundation
import GRDB
import GRDBSQLite
import SQLiteSupport
import Text

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

/// The reason why an archive can't be written or read.
///
/// No command fails because of it.
package enum StoreError: Error, Hashable, Sendable {
  /// Another shell held the lock for longer than the timeout.
  case busy
  case diskFull
  case damaged(path: String)
  /// A newer program created the file; it is left unchanged.
  case newer(path: String, version: Int)
  /// The SQLite file belongs to another program; it is left unchanged.
  case foreign(path: String)
  case unreachable(path: String, reason: String)
}

extension StoreError {
  /// The error as one sentence.
  package var localizedDescription: LocalizedText {
    switch self {
    case .busy: LocalizedText("It is in use by another openmarket session.", ko: "다른 openmarket에서 사용 중입니다.")
    case .diskFull: LocalizedText("The disk is full.", ko: "디스크가 가득 찼습니다.")
    case .damaged(let path):
      LocalizedText(
        "\(.value(path)) is damaged. Move it away and it will be created again.",
        ko: "\(.value(path)) 파일이 손상되었습니다. 옮겨 두면 새로 만듭니다.")
    case .newer(let path, let version):
      LocalizedText(
        "\(.value(path)) has format \(version), which this version of openmarket does not support.",
        ko: "\(.value(path)) 파일의 형식(\(version))을 이 버전의 openmarket이 지원하지 않습니다.")
    case .foreign(let path):
      LocalizedText(
        "\(.value(path)) belongs to another program. Move it away and a new one will be created.",
        ko: "\(.value(path), .topic) 다른 프로그램의 파일입니다. 옮겨 두면 새로 만듭니다.")
    case .unreachable(let path, let reason):
      LocalizedText("\(.value(path)): \(reason)", ko: "\(.value(path)): \(reason)")
    }
  }
}

/// Inserts rows by SQLite's own functions.
///
/// GRDB first makes an array of boxed values for each row, which took a third of the time of a snapshot of 100,000
/// products, and 3 of 91 ms of a scan of 1,000 pages whose calls are recorded.
struct RowBinder {
  private let statement: SQLiteStatement
  private var index: Int32 = 0

  /// `SQLITE_TRANSIENT`: SQLite copies the value.
  private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  init(_ insert: Statement) { statement = insert.sqliteStatement }

  mutating func bind(_ number: Int?) {
    index += 1
    if let number { sqlite3_bind_int64(statement, index, Int64(number)) } else { sqlite3_bind_null(statement, index) }
  }

  mutating func bind(_ data: Data) {
    index += 1
    // Empty data may have no address, which SQLite takes for NULL.
    guard !data.isEmpty else {
      sqlite3_bind_zeroblob(statement, index, 0)
      return
    }
    _ = data.withUnsafeBytes { sqlite3_bind_blob64(statement, index, $0.baseAddress, UInt64($0.count), Self.copied) }
  }

  mutating func bind(_ text: String?) {
    index += 1
    guard let text else {
      sqlite3_bind_null(statement, index)
      return
    }
    _ = text.withCString { sqlite3_bind_text(statement, index, $0, Int32(text.utf8.count), Self.copied) }
  }

  /// Inserts the row with the values bound, in the order of the columns.
  mutating func insert() throws {
    index = 0
    defer { sqlite3_reset(statement) }
    let code = sqlite3_step(statement)
    guard code == SQLITE_DONE else {
      let message = String(cString: sqlite3_errmsg(sqlite3_db_handle(statement)))
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }
  }
}

/// The integrity check of an SQLite file of the home folder, which changes nothing.
package enum StoredFileCheck {
  /// The result of a check.
  package enum Verdict: Hashable, Sendable {
    case intact
    /// The file was too large to be checked within the time limit.
    case unfinished
    /// The first damage that was found.
    case damaged(String)
  }

  /// Checks the structure of a file.
  ///
  /// - Parameters:
  ///   - path: The path of an existing file.
  ///   - limit: The time after which the check is given up.
  package static func run(_ path: String, within limit: Duration) -> Verdict {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(0.2)
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let timer = Task.detached {
        try await Task.sleep(for: limit)
        queue.interrupt()
      }
      defer { timer.cancel() }
      let word = try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") } ?? "ok"
      return word == "ok" ? .intact : .damaged(word)
    } catch let error as DatabaseError {
      switch error.resultCode {
      case .SQLITE_INTERRUPT, .SQLITE_BUSY, .SQLITE_LOCKED: return .unfinished
      default: return .damaged(error.message ?? "SQLite \(error.extendedResultCode.rawValue)")
      }
    } catch {
      return .damaged(String(describing: error))
    }
  }
}
