import GRDB
import SQLiteSupport

/// The tables of the market.
enum StoreSchema {
  /// The schema without products, to examine a file; the application id is `OMKT`.
  private static let empty = schema(at: MarketTime(microseconds: 0)) { _ in }

  /// Returns the schema, whose tables are filled in the transaction that creates them.
  ///
  /// `now` is the beginning of the generation of a market that has none yet.
  static func schema(
    at now: MarketTime, fill: @escaping @Sendable (Database) throws -> Void
  ) -> DatabaseSchema {
    DatabaseSchema(
      applicationID: 0x4F4D_4B54,
      migrations: [
        { database in
          try database.execute(sql: tables)
          try fill(database)
        },
        { try StoredGeneration.create(at: now, in: $0) },
      ])
  }

  /// Returns true for an SQLite file of another program.
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
    return try await DatabaseQueue(path: path, configuration: configuration).read { try empty.isForeign($0) }
  }

  private static let triggers = """
    CREATE TRIGGER effects_stay BEFORE UPDATE ON effects BEGIN SELECT RAISE(ABORT, 'effects are append-only'); END;
    CREATE TRIGGER effects_last BEFORE DELETE ON effects BEGIN SELECT RAISE(ABORT, 'effects are append-only'); END;
    """

  /// The statements that delete everything but the vendors of a class, with the numbers that were used.
  static let emptying = """
    \(clearing)
    DELETE FROM vendors WHERE id <= \(VendorRow.lastSampleID);
    \(triggers)
    """

  /// The statements that replace everything but the vendors by the contents of the attached database `saved`.
  static let restoring = """
    \(clearing)
    INSERT INTO products SELECT * FROM saved.products;
    INSERT INTO pictures SELECT * FROM saved.pictures;
    INSERT INTO picture_bytes SELECT * FROM saved.picture_bytes;
    INSERT INTO tickets SELECT * FROM saved.tickets;
    INSERT INTO effects SELECT * FROM saved.effects;
    DELETE FROM sqlite_sequence;
    INSERT INTO sqlite_sequence SELECT * FROM saved.sqlite_sequence;
    \(triggers)
    """

  private static let clearing = """
    DROP TRIGGER effects_stay; DROP TRIGGER effects_last;
    DELETE FROM picture_bytes; DELETE FROM pictures; DELETE FROM tickets; DELETE FROM products; DELETE FROM effects;
    DELETE FROM sqlite_sequence;
    """

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
    \(triggers)
    """
}
