import Foundation
import GRDB
import SQLiteSupport

/// The database `market.sqlite` in WAL mode, which several processes may open at the same time.
///
/// Every commit is fsynced (`synchronous=FULL`) before the response is sent; writes use `BEGIN IMMEDIATE` and wait up
/// to 10 s for each other.
struct Store: Sendable {
  let pool: DatabasePool
  private let commits = GroupCommitQueue(label: "market.commits")

  private init(_ pool: DatabasePool) { self.pool = pool }

  /// Opens or creates the file.
  ///
  /// `fill` runs in the transaction that creates the tables, so that only one process fills it. `now` is the beginning of
  /// the generation of a new market.
  ///
  /// Throws `MarketStartError`.
  static func open(
    in directory: String, at now: MarketTime = MarketTime(Date()), fill: @escaping @Sendable (Database) throws -> Void
  ) async throws -> Store {
    let path = file(in: directory)
    try prepare(directory: directory, file: path)
    do {
      if try await StoreSchema.isForeign(at: path) { throw MarketStartError.foreign(path: path) }
      let store = Store(try DatabasePool(path: path, configuration: configuration()))
      // GRDB sets NORMAL in WAL mode, which may lose the last commits on power failure.
      try await store.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      try await store.migrate(path: path, at: now, fill: fill)
      try await store.check(path: path)
      return store
    } catch let error as DatabaseError {
      throw DatabaseErrorMapping.startError(error, path: path)
    }
  }

  /// Returns the path of the database in a folder.
  static func file(in directory: String) -> String { directory + "/market.sqlite" }

  /// The number of writes that wait for their transaction.
  var waiting: Int { commits.waitingCount }

  /// Reads asynchronously.
  ///
  /// A synchronous read could block all threads of the pool while they wait for a connection that one of them must
  /// release.
  func read<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await pool.read(work)
  }

  func write<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await commits.write(
      in: { [pool] _, body in
        try pool.writeWithoutTransaction { database in
          try database.inTransaction(.immediate) {
            try body(database)
            return .commit
          }
        }
      }, work)
  }

  /// Replaces everything but the vendors of a class by what `fill` inserts, in one transaction: no request sees a part.
  func reset(at now: MarketTime, fill: @escaping @Sendable (Database) throws -> Void) async throws {
    try await write { database in
      try database.execute(sql: StoreSchema.emptying)
      try StoredGeneration.begin(at: now, in: database)
      try fill(database)
    }
  }

  /// Writes everything into `market.sqlite`, so that the file is complete by itself, and closes it.
  ///
  /// While another process uses the file, its write-ahead log remains: the end of the program doesn't wait for others.
  func close() async {
    _ = try? await pool.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA busy_timeout = 0")
      try database.checkpoint(.truncate)
    }
    try? pool.close()
  }

  /// Returns the number of products in a folder's market, or `nil` without a market.
  static func productCount(in directory: String) async throws -> Int? {
    let path = file(in: directory)
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let store = try await open(in: directory) { _ in }
    let count = try await store.productCount()
    await store.close()
    return count
  }

  private static func configuration() -> Configuration {
    var configuration = Configuration()
    configuration.maximumReaderCount = 2
    configuration.busyMode = .timeout(10)
    configuration.label = "market"
    configuration.prepareDatabase { database in
      // A page cache of 512 KiB per connection, because the shell should use little memory.
      try database.execute(sql: "PRAGMA cache_size = -512")
    }
    return configuration
  }

  /// Creates the folder and the file with access for this user only.
  private static func prepare(directory: String, file: String) throws(MarketStartError) {
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .dataDirectoryNotWritable(path: directory, reason: error.localizedDescription)
    }
    // An existing file is not opened: closing it would release the locks that SQLite holds on it elsewhere in this
    // process ("How To Corrupt An SQLite Database File", section 2.2).
    let descriptor = Glibc.open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { Glibc.close(descriptor) }
    guard descriptor >= 0 || errno == EEXIST && access(file, R_OK | W_OK) == 0 else {
      throw .dataDirectoryNotWritable(path: directory, reason: String(cString: strerror(errno)))
    }
  }

  private func migrate(
    path: String, at now: MarketTime, fill: @escaping @Sendable (Database) throws -> Void
  ) async throws {
    let schema = StoreSchema.schema(at: now, fill: fill)
    let found = try await pool.writeWithoutTransaction { try schema.migrate($0) }
    if found > schema.version {
      throw MarketStartError.newerVersion(path: path, found: found, supported: schema.version)
    }
  }

  /// Checks the integrity of the file, completely or, beyond 32 MiB, with `quick_check`.
  private func check(path: String) async throws {
    let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    let name = size > 32 << 20 ? "quick_check" : "integrity_check"
    let findings = try await pool.read { try String.fetchAll($0, sql: "PRAGMA \(name)(10)") }
    if findings != ["ok"] { throw MarketStartError.damaged(path: path, findings: findings) }
  }
}

/// Copies of the products, to which a market can return.
extension Store {
  /// Writes a copy of the database to a file, which replaces an earlier one.
  func copy(to path: String) async throws {
    let draft = path + ".new"
    unlink(draft)
    try await pool.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [draft]) }
    chmod(draft, 0o600)
    guard rename(draft, path) == 0 else {
      throw DatabaseError(resultCode: .SQLITE_IOERR, message: String(cString: strerror(errno)))
    }
  }

  /// Replaces everything but the vendors by what a copy contains, in one transaction.
  ///
  /// Throws `DatabaseError` with `SQLITE_CANTOPEN` if there is no such copy.
  func replaceContents(byCopy path: String, at now: MarketTime) async throws {
    guard FileManager.default.fileExists(atPath: path) else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
    try await pool.writeWithoutTransaction { database in
      try database.execute(sql: "ATTACH ? AS saved", arguments: [path])
      defer { try? database.execute(sql: "DETACH saved") }
      try database.inTransaction(.immediate) {
        try database.execute(sql: StoreSchema.restoring)
        try ProductMembers.restore(in: database)
        try StoredGeneration.begin(at: now, in: database)
        return .commit
      }
    }
  }

  /// The number of products.
  func productCount() async throws -> Int {
    try await read { try Int.fetchOne($0, sql: "SELECT count(*) FROM products") ?? 0 }
  }
}

/// Maps SQLite errors to start errors and to status codes.
enum DatabaseErrorMapping {
  static func startError(_ error: DatabaseError, path: String) -> MarketStartError {
    switch error.resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged(path: path, findings: [error.message ?? "\(error.resultCode)"])
    default: .dataDirectoryNotWritable(path: path, reason: error.message ?? "\(error.resultCode)")
    }
  }

  /// Returns 507 for a full disk, 503 if another process locked the file, otherwise 500.
  static func status(_ error: DatabaseError) -> Int {
    switch error.resultCode {
    case .SQLITE_FULL: 507
    case .SQLITE_BUSY, .SQLITE_LOCKED: 503
    default: 500
    }
  }
}
