import FoundationEssentials
import GRDB

/// The tables of the journal.
///
/// `version` is raised with every change that an older program could misread.
enum Schema {
  static let version = 4
  /// The application id is `OMJL` in ASCII.
  private static let application = 0x4F4D_4A4C

  /// Returns whether an SQLite file belongs to another program.
  ///
  /// Journals of earlier versions have no application id but our tables.
  static func isForeign(_ database: Database) throws -> Bool {
    switch try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0 {
    case application: return false
    case 0:
      let names = Set(try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'"))
      return !names.isEmpty && !names.isSuperset(of: ["op", "event", "session"])
    default: return true
    }
  }

  /// Creates the tables of a new journal, or upgrades an older one.
  ///
  /// A newer one is left unchanged.
  static func prepare(_ database: Database) throws {
    let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    let isNamed = try Int.fetchOne(database, sql: "PRAGMA application_id") == application
    if !isNamed { try database.execute(sql: "PRAGMA application_id = \(application)") }
    guard found < version else { return }
    if found < 1 { try database.execute(sql: first) }
    if found < 2 { try database.execute(sql: second) }
    if found < 3 {
      let isThere = try database.columns(in: "op").contains { $0.name == "whole" }
      try database.execute(sql: (isThere ? "" : columns) + third)
    }
    if found < 4 {
      let isThere = try database.columns(in: "op").contains { $0.name == "shown" }
      try database.execute(sql: (isThere ? "" : intents) + fourth)
    }
    try database.execute(sql: "PRAGMA user_version = \(version)")
  }

  private static let first = """
    CREATE TABLE IF NOT EXISTS session(
      id TEXT PRIMARY KEY, process INTEGER NOT NULL, host TEXT NOT NULL, boot TEXT NOT NULL, started TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS batch(n INTEGER PRIMARY KEY AUTOINCREMENT, note TEXT);
    CREATE TABLE IF NOT EXISTS op(
      n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, session TEXT NOT NULL,
      attended INTEGER NOT NULL, profile TEXT NOT NULL, base_url TEXT NOT NULL, vendor TEXT NOT NULL,
      batch INTEGER, kind TEXT NOT NULL, product INTEGER, state TEXT NOT NULL, attempt INTEGER NOT NULL,
      change TEXT, before TEXT, known TEXT, after TEXT, fingerprint TEXT, detail TEXT, note TEXT,
      undo_of INTEGER, undone_by INTEGER, depth INTEGER NOT NULL, started TEXT NOT NULL, ended TEXT);
    CREATE INDEX IF NOT EXISTS op_open ON op(base_url, state);
    CREATE INDEX IF NOT EXISTS op_batch ON op(batch);
    CREATE TABLE IF NOT EXISTS event(
      op INTEGER NOT NULL, at TEXT NOT NULL, attempt INTEGER NOT NULL, state TEXT NOT NULL, evidence TEXT);
    CREATE INDEX IF NOT EXISTS event_op ON event(op);
    CREATE TABLE IF NOT EXISTS identity(
      base_url TEXT NOT NULL, old INTEGER NOT NULL, new INTEGER NOT NULL, PRIMARY KEY(base_url, old));
    CREATE TABLE IF NOT EXISTS trait(base_url TEXT PRIMARY KEY, keeps_marker INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS saved(
      address TEXT PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, sha TEXT NOT NULL, at TEXT NOT NULL);
    """

  /// The SQL of version 2: the exchanges, one row per request.
  private static let second = """
    CREATE TABLE IF NOT EXISTS exchange(op INTEGER NOT NULL, exchange TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS exchange_op ON exchange(op);
    """

  /// The SQL of version 3: whether a create may have been sent completely, and checksums.
  ///
  /// Earlier programs didn't record when the last bytes of a create were sent, and considered a create that wasn't
  /// found as not applied. Such creates become undecided.
  private static let columns = """
    ALTER TABLE op ADD COLUMN whole INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE op ADD COLUMN digest INTEGER;
    ALTER TABLE identity ADD COLUMN digest INTEGER;
    """
  private static let third = """
    CREATE TABLE IF NOT EXISTS spare(name TEXT PRIMARY KEY, mark TEXT NOT NULL);
    UPDATE op SET whole = 1 WHERE kind = 'create' AND (state IN ('sending', 'unknown')
      OR EXISTS(SELECT 1 FROM event e WHERE e.op = op.n AND e.state = 'unknown'));
    UPDATE op SET state = 'unknown' WHERE kind = 'create' AND state = 'sending';
    UPDATE op SET state = 'asked' WHERE kind = 'create' AND whole AND state IN ('planned', 'ready', 'unsent', 'notApplied');
    UPDATE op SET digest = \(Seal.ofWrite);
    UPDATE identity SET digest = \(Seal.ofIdentity);
    """

  /// The SQL of version 4: the identity of changes (see `Intent`), whether the outcome was shown to the user, and the
  /// deleted product that a create restores.
  ///
  /// All earlier writes count as shown.
  private static let intents = """
    ALTER TABLE op ADD COLUMN source TEXT;
    ALTER TABLE op ADD COLUMN part TEXT;
    ALTER TABLE op ADD COLUMN line TEXT;
    ALTER TABLE op ADD COLUMN shown INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE op ADD COLUMN replaces INTEGER;
    """
  private static let fourth = """
    CREATE INDEX IF NOT EXISTS op_source ON op(source, part) WHERE source IS NOT NULL;
    CREATE INDEX IF NOT EXISTS op_line ON op(line) WHERE line IS NOT NULL;
    CREATE INDEX IF NOT EXISTS op_fingerprint ON op(fingerprint) WHERE fingerprint IS NOT NULL;
    """
}

/// An FNV-1a checksum of each journal row.
///
/// It detects corruption and edits before a row is used for an undo or resumed; it isn't a signature.
///
/// Triggers of this connection update it with every change. Another program that writes to the file doesn't have them.
enum Seal {
  private static let function = "journal_seal"
  private static let columns = [
    "n", "id", "base_url", "vendor", "batch", "kind", "product", "state", "attempt", "change", "before", "known",
    "after",
    "undo_of", "whole",
  ]

  /// The SQL for the checksum of a row of `op`.
  static let ofWrite = "\(function)(\(columns.joined(separator: ", ")))"
  /// The SQL for the checksum of a row of `identity`.
  static let ofIdentity = "\(function)(base_url, old, new)"

  /// Adds the function to a connection.
  ///
  /// Call it before the tables are created.
  static func add(to database: Database) {
    database.add(function: DatabaseFunction(function, pure: true) { sum($0) })
  }

  /// Installs the triggers that update the checksums of this connection's changes.
  static func follow(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TEMP TRIGGER seal_insert AFTER INSERT ON main.op BEGIN
          UPDATE op SET digest = \(ofWrite) WHERE n = new.n; END;
        CREATE TEMP TRIGGER seal_update AFTER UPDATE OF \(columns.joined(separator: ", ")) ON main.op BEGIN
          UPDATE op SET digest = \(ofWrite) WHERE n = new.n; END;
        CREATE TEMP TRIGGER seal_identity AFTER INSERT ON main.identity BEGIN
          UPDATE identity SET digest = \(ofIdentity) WHERE base_url = new.base_url AND old = new.old; END;
        """)
  }

  /// Returns whether a row of `op` matches its checksum.
  ///
  /// Rows without one are from older programs and count as valid.
  static func holds(_ row: Row) -> Bool {
    guard let digest = row["digest"] as Int64? else { return true }
    return digest == sum(columns.map { row[$0] as DatabaseValue })
  }

  /// Returns whether a row of `identity` matches its checksum.
  static func holdsIdentity(_ row: Row) -> Bool {
    guard let digest = row["digest"] as Int64? else { return true }
    return digest == sum(["base_url", "old", "new"].map { row[$0] as DatabaseValue })
  }

  private static func sum(_ values: [DatabaseValue]) -> Int64 {
    var sum = Sum()
    for value in values {
      switch value.storage {
      case .null: sum.take(0)
      case .int64(let number):
        sum.take(1)
        withUnsafeBytes(of: number.littleEndian) { sum.take($0) }
      case .string(var text):
        sum.take(2)
        text.withUTF8 { sum.take(UnsafeRawBufferPointer($0)) }
      case .double(let number):
        sum.take(3)
        withUnsafeBytes(of: number.bitPattern.littleEndian) { sum.take($0) }
      case .blob(let data):
        sum.take(4)
        data.withUnsafeBytes { sum.take($0) }
      }
    }
    return Int64(bitPattern: sum.value)
  }

  /// FNV-1a, which detects every change of a single byte.
  private struct Sum {
    var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func take(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }

    mutating func take(_ bytes: UnsafeRawBufferPointer) {
      for byte in bytes { take(byte) }
    }
  }
}
