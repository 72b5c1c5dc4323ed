import Foundation
import GRDB

/// The database `market.sqlite` in WAL mode, which several processes may open at the same time.
///
/// Every commit is fsynced (`synchronous=FULL`) before the response is sent; writes use `BEGIN IMMEDIATE` and wait up
/// to 10 s for each other.
struct Store: Sendable {
  let pool: DatabasePool
  private let commits = GroupCommit()

  private init(_ pool: DatabasePool) { self.pool = pool }

  /// Opens or creates the file.
  ///
  /// `seed` runs in the transaction that creates the tables, so that only one process fills it.
  ///
  /// Throws `MarketStartError`.
  static func open(in directory: String, fill: @escaping @Sendable (Database) throws -> Void) async throws -> Store {
    let path = file(in: directory)
    try prepare(directory: directory, file: path)
    do {
      if try await StoreSchema.isForeign(at: path) { throw MarketStartError.foreign(path: path) }
      let store = Store(try DatabasePool(path: path, configuration: configuration()))
      // GRDB sets NORMAL in WAL mode, which may lose the last commits on power failure.
      try await store.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      try await store.migrate(path: path, fill: fill)
      try await store.check(path: path)
      return store
    } catch let error as DatabaseError {
      throw DatabaseErrorMapping.startError(error, path: path)
    }
  }

  /// Returns the path of the database in a folder.
  static func file(in directory: String) -> String { directory + "/market.sqlite" }

  /// The number of writes that wait for their transaction.
  var waiting: Int { commits.count }

  /// Reads asynchronously.
  ///
  /// A synchronous read could block all threads of the pool while they wait for a connection that one of them must
  /// release.
  func read<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await pool.read(work)
  }

  func write<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await commits.write(to: pool, work)
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

  /// Checks the integrity of the file, completely or, beyond 32 MiB, with `quick_check`.
  private func check(path: String) async throws {
    let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    let name = size > 32 << 20 ? "quick_check" : "integrity_check"
    let findings = try await pool.read { try String.fetchAll($0, sql: "PRAGMA \(name)(10)") }
    if findings != ["ok"] { throw MarketStartError.damaged(path: path, findings: findings) }
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

/// The tables of the market.
///
/// `user_version` contains the version of the schema.
enum StoreSchema {
  static let version = 1
  /// The `application_id` "OMKT", which distinguishes the file from those of other programs.
  static let applicationID = 0x4F4D_4B54

  /// Returns true for an SQLite file of another program: one with another `application_id`, or without one but with
  /// tables or a version.
  ///
  /// Must be called before the market opens the file, which writes to it.
  ///
  /// An interrupted start leaves a journal to roll back, which a read-only connection cannot do. The file is then
  /// opened for writing, which rolls back and changes nothing else.
  static func isForeign(at path: String) async throws -> Bool {
    do {
      return try await isForeign(at: path, onlyReading: true)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
      return try await isForeign(at: path, onlyReading: false)
    }
  }

  private static func isForeign(at path: String, onlyReading: Bool) async throws -> Bool {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    configuration.readonly = onlyReading
    configuration.label = "market: whose"
    return try await DatabaseQueue(path: path, configuration: configuration).read { database in
      let found = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
      guard found == 0 else { return found != applicationID }
      let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      return try version != 0 || Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") != 0
    }
  }

  static func create(_ database: Database) throws {
    try database.execute(sql: tables)
    try database.execute(sql: "PRAGMA application_id = \(applicationID)")
    try database.execute(sql: "PRAGMA user_version = \(version)")
  }

  /// The tables.
  ///
  /// Prices are exact decimals as text. AUTOINCREMENT ensures that no id is ever reused.
  private static let tables = """
    CREATE TABLE vendors(
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, fold TEXT NOT NULL, identifier TEXT NOT NULL UNIQUE,
      secret TEXT NOT NULL, created INTEGER NOT NULL);
    CREATE TABLE products(
      id INTEGER PRIMARY KEY AUTOINCREMENT, vendor INTEGER NOT NULL REFERENCES vendors, name TEXT NOT NULL,
      fold TEXT NOT NULL, description TEXT NOT NULL, price TEXT NOT NULL, discount TEXT NOT NULL,
      currency TEXT NOT NULL, stock INTEGER NOT NULL, created INTEGER NOT NULL, issued INTEGER NOT NULL,
      cover INTEGER, password TEXT);
    CREATE INDEX products_by_vendor ON products(vendor);
    CREATE TABLE pictures(
      id INTEGER PRIMARY KEY AUTOINCREMENT, product INTEGER NOT NULL REFERENCES products ON DELETE CASCADE,
      vendor INTEGER NOT NULL, origin TEXT NOT NULL UNIQUE, thumb TEXT NOT NULL UNIQUE, extension TEXT NOT NULL,
      motif TEXT, palette INTEGER, issued INTEGER NOT NULL);
    CREATE INDEX pictures_by_product ON pictures(product, id);
    CREATE TABLE picture_bytes(
      picture INTEGER NOT NULL REFERENCES pictures ON DELETE CASCADE, kind TEXT NOT NULL, bytes BLOB NOT NULL,
      PRIMARY KEY(picture, kind)) WITHOUT ROWID;
    CREATE TABLE tickets(
      uuid TEXT PRIMARY KEY, product INTEGER NOT NULL REFERENCES products ON DELETE CASCADE, vendor INTEGER NOT NULL,
      at INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX tickets_by_product ON tickets(product);
    CREATE TABLE effects(
      n INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, product INTEGER NOT NULL, vendor INTEGER NOT NULL,
      body TEXT NOT NULL, at INTEGER NOT NULL, request TEXT);
    CREATE TRIGGER effects_stay BEFORE UPDATE ON effects BEGIN SELECT RAISE(ABORT, 'effects are append-only'); END;
    CREATE TRIGGER effects_last BEFORE DELETE ON effects BEGIN SELECT RAISE(ABORT, 'effects are append-only'); END;
    """
}

/// The normal form of searched texts: canonical composition, so that composed and decomposed Hangul match, in lower
/// case.
enum SearchText {
  static func searchKey(_ text: String) -> String { text.precomposedStringWithCanonicalMapping.lowercased() }
}
