import Foundation
import GRDB

/// The market on disk, `market.sqlite` in WAL mode; several processes may have it open at once.
///
/// Every commit is fsynced (`synchronous=FULL`), and answered only then; writes are `BEGIN IMMEDIATE` and wait 10 s for each other.
struct Store: Sendable {
  let pool: DatabasePool
  private let commits = GroupCommit()

  private init(_ pool: DatabasePool) { self.pool = pool }

  /// Opens or makes the file; `fill` runs in the transaction that makes the tables, so only one process ever fills it.
  ///
  /// Throws `MarketStartError`.
  static func opened(in directory: String, fill: @escaping @Sendable (Database) throws -> Void) async throws -> Store {
    let path = directory + "/market.sqlite"
    try prepare(directory: directory, file: path)
    do {
      let store = Store(try DatabasePool(path: path, configuration: configuration))
      // GRDB sets NORMAL with WAL, which may lose the last commits on power loss.
      try await store.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      try await store.migrate(path: path, fill: fill)
      try await store.check(path: path)
      return store
    } catch let error as DatabaseError {
      throw StoreFailure.startError(error, path: path)
    }
  }

  /// How many writes wait for their transaction.
  var waiting: Int { commits.count }

  func read<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await pool.read(work)
  }

  func write<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await commits.write(to: pool, work)
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.maximumReaderCount = 2
    configuration.busyMode = .timeout(10)
    configuration.label = "market"
    configuration.prepareDatabase { database in
      // 512 KiB of page cache a connection: the market is small and the shell shall be too.
      try database.execute(sql: "PRAGMA cache_size = -512")
    }
    return configuration
  }

  /// The directory is the user's alone, and so is the file from the moment it exists.
  private static func prepare(directory: String, file: String) throws(MarketStartError) {
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .dataDirectoryNotWritable(path: directory, reason: error.localizedDescription)
    }
    // One that exists is not opened: closing it would take away the locks that SQLite holds on it elsewhere in this
    // process ("How To Corrupt An SQLite Database File", section 2.2).
    let descriptor = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
    guard descriptor >= 0 || errno == EEXIST && access(file, R_OK | W_OK) == 0 else {
      throw .dataDirectoryNotWritable(path: directory, reason: String(cString: strerror(errno)))
    }
  }

  private func migrate(path: String, fill: @escaping @Sendable (Database) throws -> Void) async throws {
    let found = try await pool.write { database in
      let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      if found == 0 {
        try StoreSchema.create(database)
        try fill(database)
      }
      return found
    }
    if found > StoreSchema.version {
      throw MarketStartError.newerVersion(path: path, found: found, supported: StoreSchema.version)
    }
  }

  /// The whole check while the file is small, the quick one beyond 32 MiB.
  private func check(path: String) async throws {
    let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    let name = size > 32 << 20 ? "quick_check" : "integrity_check"
    let findings = try await pool.read { try String.fetchAll($0, sql: "PRAGMA \(name)(10)") }
    if findings != ["ok"] { throw MarketStartError.damaged(path: path, findings: findings) }
  }
}

/// What a failure of SQLite means to whoever starts the market or asks it.
enum StoreFailure {
  static func startError(_ error: DatabaseError, path: String) -> MarketStartError {
    switch error.resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged(path: path, findings: [error.message ?? "\(error.resultCode)"])
    default: .dataDirectoryNotWritable(path: path, reason: error.message ?? "\(error.resultCode)")
    }
  }

  /// 507 when there is no room, 503 when another process kept the file busy, else 500.
  static func status(_ error: DatabaseError) -> Int {
    switch error.resultCode {
    case .SQLITE_FULL: 507
    case .SQLITE_BUSY, .SQLITE_LOCKED: 503
    default: 500
    }
  }
}
