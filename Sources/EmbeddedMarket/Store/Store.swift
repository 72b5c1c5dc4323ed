import Foundation
import GRDB

/// The market on disk, `market.sqlite` in WAL mode; several processes may have it open at once.
///
/// Every commit is fsynced (`synchronous=FULL`), and answered only then; writes are `BEGIN IMMEDIATE` and wait 10 s for each other.
struct Store: Sendable {
  let pool: DatabasePool
  let totals: KeptTotals
  private let commits = GroupCommit()

  private init(_ pool: DatabasePool, totals: KeptTotals) {
    self.pool = pool
    self.totals = totals
  }

  /// Opens or makes the file; `fill` runs in the transaction that makes the tables, so only one process ever fills it.
  ///
  /// Throws `MarketStartError`.
  static func opened(in directory: String, fill: @escaping @Sendable (Database) throws -> Void) async throws -> Store {
    let path = file(in: directory)
    try prepare(directory: directory, file: path)
    do {
      if try await StoreSchema.isForeign(at: path) { throw MarketStartError.foreign(path: path) }
      let totals = KeptTotals()
      let store = Store(try DatabasePool(path: path, configuration: configuration(totals)), totals: totals)
      // GRDB sets NORMAL with WAL, which may lose the last commits on power loss.
      try await store.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      try await store.migrate(path: path, fill: fill)
      try await store.check(path: path)
      return store
    } catch let error as DatabaseError {
      throw StoreFailure.startError(error, path: path)
    }
  }

  /// Where the market of a directory lies.
  static func file(in directory: String) -> String { directory + "/market.sqlite" }

  /// How many writes wait for their transaction.
  var waiting: Int { commits.count }

  /// Never on the thread of the caller: all of them could wait for a connection that one of those who wait must give back.
  func read<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await pool.read(work)
  }

  func write<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await commits.write(to: pool, work)
  }

  private static func configuration(_ totals: KeptTotals) -> Configuration {
    var configuration = Configuration()
    configuration.maximumReaderCount = 2
    configuration.busyMode = .timeout(10)
    configuration.label = "market"
    configuration.prepareDatabase { database in
      // 512 KiB of page cache a connection: the market is small and the shell shall be too.
      try database.execute(sql: "PRAGMA cache_size = -512")
      totals.forget(database)
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

/// The tables of the market; the number in `user_version` says which.
enum StoreSchema {
  static let version = 1
  /// `OMKT`, so that another program's file is not taken for a market.
  static let application = 0x4F4D_4B54

  /// True for an SQLite file that is no market: it has tables or a version, and not our number in its header. It is looked
  /// at before the market opens it, which writes to it.
  ///
  /// A start that was broken off leaves a journal to roll back, and whoever only reads cannot: then it is opened as its
  /// own program would, which brings back what stood in it and writes nothing else.
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
      guard found == 0 else { return found != application }
      let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      return try version != 0 || Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") != 0
    }
  }

  static func create(_ database: Database) throws {
    try database.execute(sql: tables)
    try database.execute(sql: "PRAGMA application_id = \(application)")
    try database.execute(sql: "PRAGMA user_version = \(version)")
  }

  /// Prices are exact decimals as text. AUTOINCREMENT, so that no id is ever given twice.
  private static let tables = """
    CREATE TABLE vendors(
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, fold TEXT NOT NULL, identifier TEXT NOT NULL UNIQUE,
      secret TEXT NOT NULL, created INTEGER NOT NULL);
    CREATE TABLE products(
      id INTEGER PRIMARY KEY AUTOINCREMENT, vendor INTEGER NOT NULL REFERENCES vendors, name TEXT NOT NULL,
      fold TEXT NOT NULL, description TEXT NOT NULL, price TEXT NOT NULL, discount TEXT NOT NULL,
      currency TEXT NOT NULL, stock INTEGER NOT NULL, created INTEGER NOT NULL, issued INTEGER NOT NULL,
      cover INTEGER, password TEXT);
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

/// What a search compares: canonical composition (so typed and decomposed Hangul meet) in lower case.
enum SearchText {
  static func text(_ text: String) -> String { text.precomposedStringWithCanonicalMapping.lowercased() }
}
