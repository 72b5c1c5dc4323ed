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

  let file: ArchiveFile

  /// Opens or makes the file.
  ///
  /// - Throws: `ArchiveFailure`.
  package init(at path: String, isNetwork: Bool = false) throws(ArchiveFailure) {
    file = try ArchiveFile(path, version: VersionStore.version, isNetwork: isNetwork) { database, found in
      if found == 0 { try database.execute(sql: VersionStore.tables) }
      if found == 1 { try database.execute(sql: "DROP INDEX product_last; DROP TRIGGER IF EXISTS wording_words") }
      try database.execute(sql: VersionStore.summary)
      // Where the SQLite at hand has no trigrams, names and descriptions are searched without an index.
      if found == 0 { try? database.execute(sql: VersionStore.words) }
      if found == 1 { try database.execute(sql: "INSERT INTO indexed SELECT max(n) FROM wording") }
    }
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
    CREATE INDEX product_first ON product(market, first);
    CREATE INDEX product_wording ON product(wording);
    """

  /// What groups and sums are made of lies in one index in the order of the vendors: a hundred thousand products are
  /// grouped from it alone.
  private static let summary = """
    CREATE INDEX product_last ON product(
      market, last, vendor, price, stock, discount, sale, currency, vendor_id);
    CREATE TABLE indexed(n INTEGER);
    """

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
    // Of a number that comes again the last is kept.
    let all = Dictionary(products.map { ($0.id, $0) }) { $1 }.values.sorted { $0.id < $1.id }
    var rest = all[...]
    return try file.write { database in
      try VersionStore.put(all.count, place, taken, isComplete, name, database) { rest.popFirst().map { KeptRow($0) } }
    }
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
      try staged.read { count, next in
        try VersionStore.put(count, place, taken, isComplete, name, database, next)
      }
    }
  }

  private static func put(
    _ count: Int, _ place: MarketPlace, _ taken: Int64, _ isComplete: Bool, _ name: String?, _ database: Database,
    _ next: () throws -> KeptRow?
  ) throws -> Int {
    let market = try VersionStore.market(place, database, making: true) ?? 0
    try database.execute(
      sql: "INSERT INTO version(market, taken, products, complete) VALUES(?, ?, ?, ?)",
      arguments: [market, taken, count, isComplete])
    let version = Int(database.lastInsertedRowID)
    try VersionStore.merge(next, market, version, isComplete, database)
    if let name {
      try database.execute(sql: "INSERT OR REPLACE INTO name VALUES(?, ?, ?)", arguments: [market, name, version])
    }
    return version
  }

  /// Walks through what is known and what was seen side by side, both in the order of their numbers.
  private static func merge(
    _ next: () throws -> KeptRow?, _ market: Int64, _ version: Int, _ isComplete: Bool, _ database: Database
  ) throws {
    // The sign keeps SQLite off the index of `last`, by which the rows would have to be sorted first. What this very
    // version brings is not met again.
    let current = try Row.fetchCursor(
      database,
      sql: """
        SELECT \(KeptRow.columns), p.wording FROM product p CROSS JOIN wording w ON w.n = p.wording
          WHERE p.market = ?1 AND +p.last IS NULL AND p.first < ?2 ORDER BY p.id
        """, arguments: [market, version])
    let close = try database.cachedStatement(
      sql: "UPDATE product SET last = ? WHERE market = ? AND id = ? AND last IS NULL")
    let word = try database.cachedStatement(
      sql: "INSERT INTO wording(name, description, thumbnail, images) VALUES(?, ?, ?, ?)")
    let insert = try database.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO product(market, id, first, price, discount, sale, currency, stock, vendor, vendor_id,
          created, modified, wording) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    func nextKnown() throws -> (row: KeptRow, wording: Int64)? {
      try current.next().map { (KeptRow($0), $0["wording"]) }
    }
    var known = try nextKnown()
    func passGone(before id: Product.ID?) throws {
      while let gone = known?.row.id, id.map({ gone < $0 }) ?? true {
        if isComplete { try close.execute(arguments: [version, market, gone]) }
        known = try nextKnown()
      }
    }
    while let row = try next() {
      try passGone(before: row.id)
      let old = known?.row.id == row.id ? known : nil
      if old != nil { known = try nextKnown() }
      let isSameWording = old.map { $0.row.wording.means(row.wording) } ?? false
      if let old, isSameWording, old.row.figures == row.figures { continue }
      if old != nil { try close.execute(arguments: [version, market, row.id]) }
      var wording = old?.wording ?? 0
      if !isSameWording {
        let words = row.wording
        try word.execute(arguments: [words.name, words.description, words.thumbnail, words.images])
        wording = database.lastInsertedRowID
      }
      let figures = row.figures
      try insert.execute(arguments: [
        market, row.id, version, figures.price, figures.discount, figures.sale, figures.currency, figures.stock,
        figures.vendor, figures.vendorID, figures.created, figures.modified, wording,
      ])
    }
    try passGone(before: nil)
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
