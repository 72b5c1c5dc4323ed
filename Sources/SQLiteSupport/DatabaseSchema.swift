import GRDB

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
