import FoundationEssentials
import GRDB

/// The tables of the journal.
///
/// `version` is raised with every change that an older program could misread.
enum Schema {
  static let version = 1
  /// The application id is `OMJL` in ASCII.
  private static let application = 0x4F4D_4A4C

  /// Returns true for an SQLite file of another program.
  static func isForeign(_ database: Database) throws -> Bool {
    let found = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    if found == application { return false }
    return try found != 0 || Bool.fetchOne(database, sql: "SELECT EXISTS(SELECT 1 FROM sqlite_master)") ?? false
  }

  /// Makes the tables of a new journal. A newer one is left as it is.
  ///
  /// `DatabaseMigrator` looks for the migrations that are missing before it begins a transaction: of two shells that open
  /// a new journal at once, the second would make the tables again and fail.
  static func prepare(_ database: Database) throws {
    let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    guard found < version else { return }
    if found < 1 { try database.execute(sql: first) }
    try database.execute(sql: "PRAGMA application_id = \(application); PRAGMA user_version = \(version)")
  }

  /// `exchange` has a row for each request that was sent; `op.whole` says that a create may have left whole, `op.source`
  /// to `op.line` what makes two changes one intent (see `Intent`), `op.shown` that the user was shown how the write ended,
  /// `op.replaces` which deleted product a created one brings back.
  private static let first = """
    CREATE TABLE session(
      id TEXT PRIMARY KEY, process INTEGER NOT NULL, host TEXT NOT NULL, boot TEXT NOT NULL, started TEXT NOT NULL);
    CREATE TABLE batch(n INTEGER PRIMARY KEY AUTOINCREMENT, note TEXT);
    CREATE TABLE op(
      n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, session TEXT NOT NULL,
      attended INTEGER NOT NULL, profile TEXT NOT NULL, base_url TEXT NOT NULL, vendor TEXT NOT NULL,
      batch INTEGER, kind TEXT NOT NULL, product INTEGER, state TEXT NOT NULL, attempt INTEGER NOT NULL,
      change TEXT, before TEXT, known TEXT, after TEXT, fingerprint TEXT, detail TEXT, note TEXT,
      undo_of INTEGER, undone_by INTEGER, depth INTEGER NOT NULL, started TEXT NOT NULL, ended TEXT,
      whole INTEGER NOT NULL DEFAULT 0, digest INTEGER, source TEXT, part TEXT, line TEXT,
      shown INTEGER NOT NULL DEFAULT 1, replaces INTEGER);
    CREATE INDEX op_open ON op(base_url, state);
    CREATE INDEX op_batch ON op(batch);
    CREATE INDEX op_source ON op(source, part) WHERE source IS NOT NULL;
    CREATE INDEX op_line ON op(line) WHERE line IS NOT NULL;
    CREATE INDEX op_fingerprint ON op(fingerprint) WHERE fingerprint IS NOT NULL;
    CREATE TABLE event(
      op INTEGER NOT NULL, at TEXT NOT NULL, attempt INTEGER NOT NULL, state TEXT NOT NULL, evidence TEXT);
    CREATE INDEX event_op ON event(op);
    CREATE TABLE exchange(op INTEGER NOT NULL, exchange TEXT NOT NULL);
    CREATE INDEX exchange_op ON exchange(op);
    CREATE TABLE identity(
      base_url TEXT NOT NULL, old INTEGER NOT NULL, new INTEGER NOT NULL, digest INTEGER, PRIMARY KEY(base_url, old));
    CREATE TABLE trait(base_url TEXT PRIMARY KEY, keeps_marker INTEGER NOT NULL);
    CREATE TABLE saved(
      address TEXT PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, sha TEXT NOT NULL, at TEXT NOT NULL);
    CREATE TABLE spare(name TEXT PRIMARY KEY, mark TEXT NOT NULL);
    """
}
