import Catalog
import GRDB
import Synchronization

/// The products of a scan before they are stored in the archive.
///
/// They are in a temporary table on disk in order of arrival, which only this connection sees. A market of any size then
/// needs no memory, and the archive is locked only while the scan is stored.
package final class StagedSnapshot: Sendable {
  private let file: SQLiteStore
  /// Its name with the schema that SQLite has such tables in.
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
