import GRDB

/// The generation of a market: from its creation or a reset to the next reset.
///
/// A market that is reset gives the same ids to other products, so that to a client it is another market. A client
/// recognizes both by the identifier that each response has: `DATABASE-API.BEGAN-MARK`. The part before the point is
/// random and stays as long as the file; `BEGAN` is the time in seconds since 1970, and `MARK` is random.
struct StoredGeneration: Hashable, Sendable {
  private var database: String
  private var began: Int64
  private var mark: String

  /// Creates the table, and begins the first generation.
  static func create(at now: MarketTime, in database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE generation(database TEXT NOT NULL, began INTEGER NOT NULL, mark TEXT NOT NULL);
        INSERT INTO generation VALUES(lower(hex(randomblob(8))), 0, '');
        """)
    try begin(at: now, in: database)
  }

  /// Begins another generation of the same file.
  static func begin(at now: MarketTime, in database: Database) throws {
    try database.execute(
      sql: "UPDATE generation SET began = ?, mark = lower(hex(randomblob(4)))",
      arguments: [now.microseconds / 1_000_000])
  }

  /// Reads the current generation, or returns `nil` if its row was deleted.
  static func read(from database: Database) throws -> StoredGeneration? {
    let statement = try database.cachedStatement(sql: "SELECT database, began, mark FROM generation")
    return try Row.fetchOne(statement).map { row in
      StoredGeneration(database: row["database"], began: row["began"], mark: row["mark"])
    }
  }

  /// Returns the identifier.
  ///
  /// It differs for each API, because the fields and the logins of a product do.
  func text(of api: ServedAPI) -> String { "\(database)-\(api.name).\(began)-\(mark)" }
}
