import GRDB
import Glibc

/// The tables of an SQLite file of this program, and the migrations that create and change them.
///
/// `PRAGMA application_id` distinguishes the file from those of other programs, and `PRAGMA user_version` is the number of
/// migrations that were run. GRDB's `DatabaseMigrator` looks for the missing migrations before it begins a transaction: of
/// two programs that open a new file at once, the second would run them again and fail.
package struct DatabaseSchema: Sendable {
  package typealias Migration = @Sendable (Database) throws -> Void

  private let applicationID: Int
  private let migrations: [Migration]

  /// Creates a schema.
  ///
  /// - Parameters:
  ///   - applicationID: The application id, four ASCII characters.
  ///   - migrations: The migrations. One is added with every change that an older program could misread.
  package init(applicationID: Int, migrations: [Migration]) {
    self.applicationID = applicationID
    self.migrations = migrations
  }

  /// The newest version.
  package var version: Int { migrations.count }

  /// Returns true for an SQLite file of another program: one with another application id, or without one but with tables
  /// or a version.
  ///
  /// Must be called before anything that writes to the file.
  package func isForeign(_ database: Database) throws -> Bool {
    let isUsed =
      try DatabaseSchema.version(of: database) != 0
      || Bool.fetchOne(database, sql: "SELECT EXISTS(SELECT 1 FROM sqlite_master)") ?? false
    // The application id is read last: another program may run the migrations between these reads, and it sets the id in
    // the same transaction.
    let found = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    return found == 0 ? isUsed : found != applicationID
  }

  /// Returns true for a file without tables.
  package func isNew(_ database: Database) throws -> Bool { try DatabaseSchema.version(of: database) == 0 }

  /// Runs the missing migrations in one transaction.
  ///
  /// A newer file is left as it is.
  ///
  /// - Returns: The version of the file.
  package func migrate(_ database: Database) throws -> Int {
    let found = try DatabaseSchema.version(of: database)
    guard found < version else { return found }
    try database.inTransaction(.immediate) {
      // Another program may have run them while this one waited for the lock.
      let found = try DatabaseSchema.version(of: database)
      guard found < version else { return .commit }
      for migration in migrations[found...] { try migration(database) }
      try database.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
      return .commit
    }
    return try DatabaseSchema.version(of: database)
  }

  private static func version(of database: Database) throws -> Int {
    try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
  }
}

extension Database {
  /// Sets the journal mode of the file: a write-ahead log, or a rollback journal on a file system where programs cannot
  /// share memory.
  ///
  /// SQLite doesn't call the busy handler for the exclusive lock that this needs. Another program that opens the new file
  /// at the same time would make it fail at once, so it is tried again.
  ///
  /// - Parameters:
  ///   - isNetwork: A Boolean value that indicates such a file system.
  ///   - timeout: The time after which a busy file is an error.
  /// - Throws: `DatabaseError`.
  package func setJournalMode(isNetwork: Bool, timeout: Duration) throws {
    let end = ContinuousClock.now + timeout
    while true {
      do {
        return try execute(sql: "PRAGMA journal_mode = \(isNetwork ? "DELETE" : "WAL")")
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end {
        usleep(1_000)
      }
    }
  }
}

extension Database {
  /// Returns the rows of a query that mostly finds none.
  ///
  /// For each query GRDB makes a dictionary of the names of its columns, which takes several times as long as a search by
  /// an index that finds nothing. This one first asks whether there is a row.
  package func rareRows(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
    let exists = try Bool.fetchOne(cachedStatement(sql: "SELECT EXISTS(\(sql))"), arguments: arguments)
    guard exists == true else { return [] }
    return try Row.fetchAll(cachedStatement(sql: sql), arguments: arguments)
  }
}

extension DatabaseError {
  /// The error as users and logs show it: `SQLite 778: disk I/O error`.
  package var reason: String { "SQLite \(extendedResultCode.rawValue): \(message ?? "no message")" }
}
