import Foundation
import GRDB

/// The tables of the market; the number in `user_version` says which.
enum StoreSchema {
  static let version = 1
  /// `OMKT`, so that another program's file is not taken for a market.
  static let application = 0x4F4D_4B54

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
