import Catalog
import GRDB
import SQLiteSupport

/// The tables of the journal.
enum Schema {
  /// The application id is `OMJL` in ASCII.
  static let journal = DatabaseSchema(
    applicationID: 0x4F4D_4A4C,
    migrations: [
      { try $0.execute(sql: first) }, { try $0.execute(sql: attributions) },
      { database in
        try database.execute(sql: runs)
        try insertEarlierRuns(database)
      },
      { try $0.execute(sql: scripts) },
      { try $0.execute(sql: references) },
      { try $0.execute(sql: uptimes) },
      { database in
        try database.execute(sql: markets)
        try canonicalizeAddresses(database)
      },
      { try $0.execute(sql: places) },
      { try $0.execute(sql: descriptions) },
    ])

  /// `exchange` has a row for each request that was sent; `op.whole` says that a create may have been sent completely,
  /// `op.source` and `op.part` which row of a plan or file a create comes from (see `CreateSource`), `op.replaces` which
  /// deleted product a created one brings back. `op.line` and `op.shown` were used by versions before runs.
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
    CREATE INDEX op_product ON op(product, base_url, state) WHERE product IS NOT NULL;
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

  /// `op.actor` is the actor who decided a change, and `op.approver` the person who approved it if that was required; see
  /// `Attribution`. They are not part of the checksum of a row, which is about what was written.
  private static let attributions = """
    ALTER TABLE op ADD COLUMN actor TEXT;
    ALTER TABLE op ADD COLUMN approver TEXT;
    """

  /// `run` has a row for each line or script that wrote something (see `Run`), `hold` what an unsettled run holds (see
  /// `HeldItem`). `op.run` is the run of a write, and `op.place` the line of its script.
  private static let runs = """
    CREATE TABLE run(
      n INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, profile TEXT NOT NULL, base_url TEXT NOT NULL,
      vendor TEXT NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL, identity TEXT, path TEXT, key TEXT,
      state TEXT NOT NULL, begun TEXT NOT NULL, held_back INTEGER NOT NULL DEFAULT 0, line INTEGER, line_text TEXT,
      content TEXT);
    CREATE INDEX run_unsettled ON run(base_url, vendor) WHERE state IN ('open', 'interrupted');
    CREATE INDEX run_key ON run(key) WHERE key IS NOT NULL;
    CREATE TABLE hold(run INTEGER NOT NULL, op INTEGER, item TEXT NOT NULL);
    CREATE INDEX hold_run ON hold(run);
    ALTER TABLE op ADD COLUMN run INTEGER;
    ALTER TABLE op ADD COLUMN place INTEGER;
    CREATE INDEX op_run ON op(run) WHERE run IS NOT NULL;
    """

  /// `run.script` has the lines of a script that is in no file (see `RunScript`), `run.variables` what its current line
  /// refers to (see `RunValues`), both as JSON.
  private static let scripts = """
    ALTER TABLE run ADD COLUMN script TEXT;
    ALTER TABLE run ADD COLUMN variables TEXT;
    """

  /// `op.reference` is what the product of a create was when it was read back; see `ProductReference`.
  private static let references = "ALTER TABLE op ADD COLUMN reference TEXT"

  /// `op.uptime` is the milliseconds from the start of the session's system to `op.ended`, by a clock that can't be set.
  private static let uptimes = "ALTER TABLE op ADD COLUMN uptime INTEGER"

  /// `market` has a row for each generation of a market and each of its addresses, `''` for an address without one.
  /// `market.base_url` is the name of the market in the other tables (see `Journal.name(of:)`), and `seen` counts up.
  private static let markets = """
    CREATE TABLE market(
      address TEXT NOT NULL, generation TEXT NOT NULL, base_url TEXT NOT NULL, seen INTEGER NOT NULL,
      PRIMARY KEY(address, generation));
    CREATE INDEX market_generation ON market(generation);
    """

  /// `session.place` is the file of the journal when the session began; see `Journal.place(in:)`.
  private static let places = "ALTER TABLE session ADD COLUMN place TEXT"

  /// `description` has the meaning of products in each file with which a write was recorded, as JSON (see
  /// `DescriptionMapping`), and `op.description` the checksum of its file.
  private static let descriptions = """
    CREATE TABLE description(digest TEXT PRIMARY KEY, file TEXT NOT NULL, parts TEXT NOT NULL);
    ALTER TABLE op ADD COLUMN description TEXT;
    """

  /// Gives the rows of an earlier version the canonical address of their market.
  private static func canonicalizeAddresses(_ database: Database) throws {
    let names = try String.fetchAll(
      database,
      sql: "SELECT base_url FROM op UNION SELECT base_url FROM run UNION SELECT base_url FROM identity "
        + "UNION SELECT base_url FROM trait")
    for old in names where MarketIdentity.canonicalAddress(old) != old {
      let new = MarketIdentity.canonicalAddress(old)
      // An altered row stays as it is. The triggers that renew the checksums are installed later.
      try database.execute(
        sql: "UPDATE op SET digest = \(RowChecksum.entryExpression(baseURL: "?1")), base_url = ?1 "
          + "WHERE base_url = ?2 AND digest IS \(RowChecksum.entryExpression)", arguments: [new, old])
      try database.execute(sql: "UPDATE run SET base_url = ? WHERE base_url = ?", arguments: [new, old])
      try database.execute(
        sql: "UPDATE OR IGNORE identity SET digest = \(RowChecksum.identityExpression(baseURL: "?1")), base_url = ?1 "
          + "WHERE base_url = ?2 AND digest IS \(RowChecksum.ofIdentity)", arguments: [new, old])
      try database.execute(sql: "UPDATE OR REPLACE trait SET base_url = ? WHERE base_url = ?", arguments: [new, old])
    }
  }

  /// Creates a run for what an earlier version left pending or had not shown: for each batch, and for each single write.
  ///
  /// It isn't known what was typed, so that only equal creates are recognized.
  private static func insertEarlierRuns(_ database: Database) throws {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT n, batch, session, profile, base_url, vendor, kind, fingerprint, started FROM op
          WHERE state IN (\(Journal.openStates))
            OR NOT shown AND kind = \(sqlList(.create)) AND state = \(quoted(.done)) AND undo_of IS NULL ORDER BY n
        """)
    var runs: [Int: Int] = [:]
    for row in rows {
      let (entry, batch): (Int, Int?) = (row["n"], row["batch"])
      var run = batch.flatMap { runs[$0] }
      if run == nil {
        try database.execute(
          sql: """
            INSERT INTO run(session, profile, base_url, vendor, kind, text, state, begun)
              VALUES(?, ?, ?, ?, '\(RunUnit.Kind.earlier.rawValue)', ?, 'open', ?)
            """,
          arguments: [
            row["session"] as String, row["profile"] as String, row["base_url"] as String, row["vendor"] as String,
            batch.map { "batch \($0)" } ?? "entry \(entry)", row["started"] as String,
          ])
        run = Int(database.lastInsertedRowID)
        if let batch { runs[batch] = run }
      }
      try database.execute(sql: "UPDATE op SET run = ? WHERE n = ?", arguments: [run, entry])
      guard let fingerprint = row["fingerprint"] as String?, row["kind"] == JournalEntry.Action.create.rawValue else {
        continue
      }
      try database.execute(
        sql: "INSERT INTO hold(run, op, item) VALUES(?, ?, ?)",
        arguments: [run, entry, HeldItem.create(fingerprint)])
    }
  }
}
