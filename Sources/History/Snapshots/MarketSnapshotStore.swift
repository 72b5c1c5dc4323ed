import Catalog
import Foundation
import GRDB
import SQLiteSupport
import Synchronization

/// The versions of markets in one file of the home folder.
///
/// A product that doesn't change takes no space: its row contains the first version in which it is valid and the first
/// in which it isn't.
package final class MarketSnapshotStore: Sendable {
  package static let version = schema.version

  /// The tables; the application id is `OMVS`.
  private static let schema = DatabaseSchema(
    applicationID: 0x4F4D_5653,
    migrations: [
      { database in
        try database.execute(sql: tables)
        // Where the SQLite at hand has no trigrams, names and descriptions are searched without an index.
        try? database.execute(sql: fullTextIndexSQL)
      },
      { try $0.execute(sql: "CREATE TABLE generation(generation TEXT PRIMARY KEY, market INTEGER NOT NULL)") },
    ])

  let file: SQLiteStore

  /// Opens or creates the file.
  ///
  /// - Throws: `StoreError`.
  package init(at path: String, isNetwork: Bool = false) throws(StoreError) {
    file = try SQLiteStore(path, MarketSnapshotStore.schema, isNetwork: isNetwork)
    file.queue.writeWithoutTransaction { $0.add(function: ProductRow.TextColumns.picturesMatch) }
  }

  /// Updates the full-text index.
  ///
  /// This is done when texts are queried, so that storing a version doesn't wait for it.
  ///
  /// - Throws: `StoreError`.
  package func updateFullTextIndex() throws(StoreError) {
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

  /// `product.last` is the version from which on a row holds no more; null for what holds now. The index `product_last`
  /// has all columns that groups and sums are made of: a hundred thousand products are grouped from it alone.
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
    CREATE INDEX product_last ON product(
      market, last, vendor, price, stock, discount, sale, currency, vendor_id);
    CREATE TABLE indexed(n INTEGER);
    """

  private static let fullTextIndexSQL = """
    CREATE VIRTUAL TABLE words USING fts5(
      name, description, content='wording', content_rowid='n', tokenize='trigram');
    """

  /// Stores the products of a scan as the newest version and returns its number.
  ///
  /// Products that are missing from a complete scan are stored as deleted; otherwise they stay as they were.
  ///
  /// - Parameters:
  ///   - identity: The market.
  ///   - taken: The time of the scan in seconds since 1970, UTC.
  ///   - isComplete: Whether the scan certainly saw every product.
  ///   - name: A name for the version.
  /// - Returns: The number of the version.
  /// - Throws: `StoreError`; then nothing is stored.
  @discardableResult
  package func add(
    _ products: [Product], of identity: SnapshotMarket, taken: Int64, isComplete: Bool, named name: String? = nil
  ) throws(StoreError) -> Int {
    let staged = try StagedSnapshot(in: self)
    try staged.add(products)
    return try add(staged, of: identity, taken: taken, isComplete: isComplete, named: name)
  }

  /// Stores staged products as the newest version.
  ///
  /// Products that are missing from a complete scan are stored as deleted; otherwise they stay as they were.
  ///
  /// - Parameters:
  ///   - staged: The products.
  ///   - identity: The market.
  ///   - taken: The time of the scan in seconds since 1970, UTC.
  ///   - isComplete: Whether the scan certainly saw every product.
  ///   - name: A name for the version.
  /// - Returns: The number of the version.
  /// - Throws: `StoreError`; then nothing is stored.
  @discardableResult
  package func add(
    _ staged: StagedSnapshot, of identity: SnapshotMarket, taken: Int64, isComplete: Bool, named name: String? = nil
  ) throws(StoreError) -> Int {
    try file.write { database in
      let market = try MarketSnapshotStore.number(of: identity, database, making: true) ?? 0
      try database.execute(
        sql: "INSERT INTO version(market, taken, products, complete) VALUES(?, ?, 0, ?)",
        arguments: [market, taken, isComplete])
      let version = Int(database.lastInsertedRowID)
      try MarketSnapshotStore.merge(staged, market: market, version: version, isComplete: isComplete, in: database)
      try database.execute(
        sql: "UPDATE version SET products = (SELECT count(*) FROM \(staged.marks)) WHERE n = ?", arguments: [version])
      if let name {
        try database.execute(sql: "INSERT OR REPLACE INTO name VALUES(?, ?, ?)", arguments: [market, name, version])
      }
      return version
    }
  }

  /// Merges staged products into the product table: ends the rows of deleted and changed products, inserts rows for new
  /// and changed ones, and reuses texts that are already stored.
  ///
  /// The staged table is read once, and again only for new products; for the others the second table contains enough.
  /// The sign in `+last` prevents SQLite from using the index on `last`, which can't find a product by its id.
  private static func merge(
    _ staged: StagedSnapshot, market: Int64, version: Int, isComplete: Bool, in database: Database
  ) throws {
    let (table, marks) = (staged.table, staged.marks)
    let (figures, texts) = (ProductRow.figures, ProductRow.texts)
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO \(marks)
          SELECT s.id, s.n, w.n,
              CASE WHEN w.n IS NULL THEN -1 ELSE \(figures.map { "p.\($0) IS s.\($0)" }.joined(separator: " AND ")) END
            FROM \(table) s LEFT JOIN product p ON p.market = ?1 AND p.id = s.id AND +p.last IS NULL
              LEFT JOIN wording w ON w.n = p.wording AND w.name IS s.name AND w.description IS s.description
                AND (w.thumbnail IS s.thumbnail AND w.images IS s.images
                  OR same_pictures(w.thumbnail, w.images, s.thumbnail, s.images))
            ORDER BY s.id, s.n
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
            FROM \(marks) m JOIN \(table) s ON s.n = m.row WHERE m.same < 0 ORDER BY m.id
        """)
    try database.execute(
      sql: """
        INSERT INTO product(market, id, first, wording, \(figures.joined(separator: ", ")))
          SELECT ?1, m.id, ?2, m.wording, \(figures.map { "s." + $0 }.joined(separator: ", "))
            FROM \(marks) m JOIN \(table) s ON s.n = m.row WHERE m.same < 1 ORDER BY m.id
        """, arguments: [market, version])
  }
}

/// The state of a market as read by one complete scan.
package struct MarketSnapshot: Hashable, Sendable {
  /// The number of the version, counted from 1 over all markets.
  package var number: Int
  /// The time of the scan in seconds since 1970, UTC.
  package var capturedAt: Int64
  package var products: Int
  /// A Boolean value that is false if the scan may have missed products.
  ///
  /// Those that it didn't see stay as they were.
  package var isComplete: Bool
  /// The names that the user gave it.
  package var labels: [String]
}

/// The products of a scan before they are stored in the archive.
///
/// They are in a temporary table on disk in order of arrival, which only this connection sees. A market of any size then
/// needs no memory, and the archive is locked only while the scan is stored.
package final class StagedSnapshot: Sendable {
  private let file: SQLiteStore
  /// The name of the temporary table, with its schema `temp`.
  let table: String
  /// The name of a second table with the result for each product: the row of the first table, the number of its texts, and
  /// whether it is unchanged (1), has the same texts (0) or new ones (-1).
  let marks: String

  private static let made = Mutex(0)
  private static let columns = ["id"] + ProductRow.figures + ProductRow.texts

  /// Creates the tables.
  ///
  /// - Throws: `StoreError` if no temporary file can be created.
  package init(in store: MarketSnapshotStore) throws(StoreError) {
    file = store.file
    let number = StagedSnapshot.made.withLock { made in
      made += 1
      return made
    }
    table = "temp.staged_\(number)"
    marks = table + "_marks"
    let (table, marks) = (table, marks)
    try file.writeTemporary { database in
      try database.execute(
        sql: """
          CREATE TABLE \(table)(
            n INTEGER PRIMARY KEY, id INTEGER NOT NULL, price TEXT, discount TEXT, sale TEXT, currency TEXT, stock INTEGER,
            vendor TEXT, vendor_id INTEGER, created TEXT, modified TEXT, name TEXT, description TEXT, thumbnail TEXT,
            images TEXT);
          CREATE TABLE \(marks)(id INTEGER PRIMARY KEY, row INTEGER NOT NULL, wording INTEGER, same INTEGER NOT NULL);
          """)
    }
  }

  deinit {
    let tables = [table, marks]
    file.queue.asyncWriteWithoutTransaction { database in
      for table in tables { try? database.execute(sql: "DROP TABLE IF EXISTS \(table)") }
    }
  }

  /// Adds products.
  ///
  /// If an id is repeated, the last product is used.
  ///
  /// - Throws: `StoreError`.
  package func add(_ products: [Product]) throws(StoreError) {
    try file.writeTemporary { database in
      let (columns, values) = (StagedSnapshot.columns, StagedSnapshot.columns.map { _ in "?" })
      let insert = try database.cachedStatement(
        sql: """
          INSERT INTO \(table)(\(columns.joined(separator: ","))) VALUES(\(values.joined(separator: ",")))
          """)
      var row = RowBinder(insert)
      for product in products {
        row.bind(product.id)
        for amount in [product.price, product.discount, product.sale] { row.bind(amount?.description) }
        row.bind(product.currency?.code)
        row.bind(product.stock)
        row.bind(product.vendor)
        row.bind(product.vendorID)
        for time in [product.created, product.modified] { row.bind(time?.description) }
        for text in [product.name, product.description, product.thumbnailURL] { row.bind(text) }
        row.bind(product.images.map(ProductRow.text(of:)))
        try row.insert()
      }
    }
  }
}
