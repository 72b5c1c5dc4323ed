import Catalog
import Foundation
import GRDB

/// A market as it was seen by one whole scan.
package struct MarketVersion: Hashable, Sendable {
  /// Counts the versions of all markets, from 1.
  package var number: Int
  /// Seconds since 1970, UTC.
  package var taken: Int64
  package var products: Int
  /// False when the scan could not be sure to have seen everything: what it did not see stands as it was.
  package var isComplete: Bool
  /// What the person calls it.
  package var names: [String]
}

/// Whose products these are: a place with an edition at an address. The numbers of another market mean other products.
package struct MarketPlace: Hashable, Sendable {
  package var name: String
  package var edition: String
  /// Empty for the embedded market, whose address changes with every start.
  package var address: String

  package init(name: String, edition: String, address: String) {
    self.name = name
    self.edition = edition
    self.address = address
  }
}

/// What markets were, version by version, in one file of the home. A product that stays as it is takes no room: its row
/// says from which version it holds, and until which.
package final class VersionStore: Sendable {
  /// Raised with any change that an older program could misread.
  package static let version = 2

  /// `OMVS`.
  private static let kind = FileKind(application: 0x4F4D_5653, table: "market")

  let file: ArchiveFile

  /// Opens or makes the file.
  ///
  /// - Throws: `ArchiveFailure`.
  package init(at path: String, isNetwork: Bool = false) throws(ArchiveFailure) {
    file = try ArchiveFile(path, VersionStore.kind, version: VersionStore.version, isNetwork: isNetwork) {
      database, found in
      if found == 0 { try database.execute(sql: VersionStore.tables) }
      if found == 1 { try database.execute(sql: "DROP INDEX product_last; DROP TRIGGER IF EXISTS wording_words") }
      try database.execute(sql: VersionStore.indexes)
      try database.execute(sql: "CREATE TABLE indexed(n INTEGER)")
      // Where the SQLite at hand has no trigrams, names and descriptions are searched without an index.
      if found == 0 { try? database.execute(sql: VersionStore.words) }
      if found == 1 { try database.execute(sql: "INSERT INTO indexed SELECT max(n) FROM wording") }
    }
    file.queue.writeWithoutTransaction { $0.add(function: KeptRow.Wording.samePictures) }
  }

  /// Brings the index of words up to date: whoever keeps a version does not wait for it, who asks for words does.
  ///
  /// - Throws: `ArchiveFailure`.
  package func indexWords() throws(ArchiveFailure) {
    try file.write { database in
      let done = try Int64.fetchOne(database, sql: "SELECT max(n) FROM indexed") ?? 0
      let newest = try Int64.fetchOne(database, sql: "SELECT max(n) FROM wording") ?? 0
      guard newest > done, try database.tableExists("words") else { return }
      try database.execute(
        sql: "INSERT INTO words(rowid, name, description) SELECT n, name, description FROM wording WHERE n > ?",
        arguments: [done])
      try database.execute(sql: "DELETE FROM indexed")
      try database.execute(sql: "INSERT INTO indexed VALUES(?)", arguments: [newest])
    }
  }

  /// `last` is the version from which on a row holds no more; null for what holds now.
  private static let tables = """
    CREATE TABLE market(
      n INTEGER PRIMARY KEY, name TEXT NOT NULL, edition TEXT NOT NULL, address TEXT NOT NULL,
      UNIQUE(name, edition, address));
    CREATE TABLE version(
      n INTEGER PRIMARY KEY AUTOINCREMENT, market INTEGER NOT NULL, taken INTEGER NOT NULL,
      products INTEGER NOT NULL, complete INTEGER NOT NULL);
    CREATE INDEX version_market ON version(market, taken);
    CREATE TABLE name(market INTEGER NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, PRIMARY KEY(market, name));
    CREATE TABLE wording(n INTEGER PRIMARY KEY, name TEXT, description TEXT, thumbnail TEXT, images TEXT);
    CREATE TABLE product(
      market INTEGER NOT NULL, id INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER, price TEXT, discount TEXT,
      sale TEXT, currency TEXT, stock INTEGER, vendor TEXT, vendor_id INTEGER, created TEXT, modified TEXT,
      wording INTEGER NOT NULL, PRIMARY KEY(market, id, first)) WITHOUT ROWID;
    """

  /// What groups and sums are made of lies in the last one, in the order of the vendors: a hundred thousand products are
  /// grouped from it alone.
  private static let indexes = """
    CREATE INDEX IF NOT EXISTS product_first ON product(market, first);
    CREATE INDEX IF NOT EXISTS product_wording ON product(wording);
    CREATE INDEX IF NOT EXISTS product_last ON product(
      market, last, vendor, price, stock, discount, sale, currency, vendor_id);
    """

  /// From so many products on an index is made anew rather than row by row, where fewer than a quarter are there already.
  private static let bulk = 1000

  private static let words = """
    CREATE VIRTUAL TABLE words USING fts5(
      name, description, content='wording', content_rowid='n', tokenize='trigram');
    """

  /// Keeps what a scan saw as the newest version, and tells its number.
  ///
  /// - Parameters:
  ///   - taken: seconds since 1970, UTC.
  ///   - isComplete: products that are not among them are gone; otherwise they stand as they were.
  /// - Throws: `ArchiveFailure`; nothing is kept then.
  @discardableResult
  package func add(
    _ products: [Product], of place: MarketPlace, taken: Int64, isComplete: Bool, named name: String? = nil
  ) throws(ArchiveFailure) -> Int {
    let staged = try StagedMarket(in: self)
    try staged.add(products)
    return try add(staged, of: place, taken: taken, isComplete: isComplete, named: name)
  }

  /// Keeps what was staged as the newest version, and tells its number.
  ///
  /// - Parameters: as `add` has them.
  /// - Throws: `ArchiveFailure`; nothing is kept then.
  @discardableResult
  package func add(
    _ staged: StagedMarket, of place: MarketPlace, taken: Int64, isComplete: Bool, named name: String? = nil
  ) throws(ArchiveFailure) -> Int {
    try file.write { database in
      let market = try VersionStore.market(place, database, making: true) ?? 0
      try database.execute(
        sql: "INSERT INTO version(market, taken, products, complete) VALUES(?, ?, 0, ?)",
        arguments: [market, taken, isComplete])
      let version = Int(database.lastInsertedRowID)
      try VersionStore.merge(staged, market, version, isComplete, database)
      try database.execute(
        sql: "UPDATE version SET products = (SELECT count(*) FROM \(staged.marks)) WHERE n = ?", arguments: [version])
      if let name {
        try database.execute(sql: "INSERT OR REPLACE INTO name VALUES(?, ?, ?)", arguments: [market, name, version])
      }
      return version
    }
  }

  /// Brings the product table from the newest version to what was staged: what is gone or another holds no more, what is
  /// new or another holds from now on, and texts that are known stay where they are. What was staged is read once, and
  /// again where it is new: of what stays, the marks tell enough.
  ///
  /// The sign in `+last` keeps SQLite off the index of `last`, in which a product is not found by its number.
  private static func merge(
    _ staged: StagedMarket, _ market: Int64, _ version: Int, _ isComplete: Bool, _ database: Database
  ) throws {
    let (table, marks) = (staged.table, staged.marks)
    let (figures, texts) = (KeptRow.figures, KeptRow.texts)
    try database.execute(
      sql: """
        INSERT INTO \(marks)
          SELECT ~s.key, w.n,
              CASE WHEN w.n IS NULL THEN -1 ELSE \(figures.map { "p.\($0) IS s.\($0)" }.joined(separator: " AND ")) END
            FROM \(table) s LEFT JOIN product p ON p.market = ?1 AND p.id = ~s.key AND +p.last IS NULL
              LEFT JOIN wording w ON w.n = p.wording AND w.name IS s.name AND w.description IS s.description
                AND (w.thumbnail IS s.thumbnail AND w.images IS s.images
                  OR same_pictures(w.thumbnail, w.images, s.thumbnail, s.images))
            ORDER BY s.key DESC
        """, arguments: [market])
    try database.execute(
      sql: """
        UPDATE \(marks) SET wording = (SELECT coalesce(max(n), 0) FROM wording) + fresh.place
          FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM \(marks) WHERE same < 0) AS fresh
          WHERE \(marks).id = fresh.id
        """)
    let over = "UPDATE product SET last = ?2 WHERE market = ?1"
    try database.execute(
      sql: "\(over) AND id IN (SELECT id FROM \(marks) WHERE same < 1) AND +last IS NULL", arguments: [market, version])
    if isComplete {
      try database.execute(
        sql: "\(over) AND last IS NULL AND id NOT IN (SELECT id FROM \(marks))", arguments: [market, version])
    }
    try database.execute(
      sql: """
        INSERT INTO wording(n, \(texts.joined(separator: ", ")))
          SELECT m.wording, \(texts.map { "s." + $0 }.joined(separator: ", "))
            FROM \(marks) m CROSS JOIN \(table) s ON s.key = ~m.id WHERE m.same < 0 ORDER BY m.id
        """)
    let isBulk = try isBulk(staged, database)
    if isBulk {
      try database.execute(sql: "DROP INDEX product_first; DROP INDEX product_wording; DROP INDEX product_last")
    }
    try database.execute(
      sql: """
        INSERT INTO product(market, id, first, wording, \(figures.joined(separator: ", ")))
          SELECT ?1, m.id, ?2, m.wording, \(figures.map { "s." + $0 }.joined(separator: ", "))
            FROM \(marks) m CROSS JOIN \(table) s ON s.key = ~m.id WHERE m.same < 1 ORDER BY m.id
        """, arguments: [market, version])
    if isBulk { try database.execute(sql: indexes) }
  }

  /// Most of the product table comes with what is to be added: sorted once, an index takes a third of the time.
  private static func isBulk(_ staged: StagedMarket, _ database: Database) throws -> Bool {
    let added = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(staged.marks) WHERE same < 1") ?? 0
    guard added >= bulk else { return false }
    let there = "SELECT count(*) FROM (SELECT 1 FROM product LIMIT \(added))"
    return try Int.fetchOne(database, sql: there) ?? 0 < added / 4
  }

  static func market(_ place: MarketPlace, _ database: Database, making: Bool = false) throws -> Int64? {
    let sql = "SELECT n FROM market WHERE name = ? AND edition = ? AND address = ?"
    let arguments: StatementArguments = [place.name, place.edition, place.address]
    if let found = try Int64.fetchOne(database, sql: sql, arguments: arguments) { return found }
    guard making else { return nil }
    try database.execute(sql: "INSERT INTO market(name, edition, address) VALUES(?, ?, ?)", arguments: arguments)
    return database.lastInsertedRowID
  }
}
