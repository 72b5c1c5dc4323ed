import Catalog
import GRDB
import Synchronization

/// A market on its way into the archive: what a scan brings lies in a table that only this connection sees, on disk and
/// outside of the file, so a market of any size takes no memory and the file is locked only while it is kept.
package final class StagedMarket: Sendable {
  private let file: ArchiveFile
  /// Its name with the schema that SQLite keeps such tables in.
  let table: String

  private static let made = Mutex(0)
  private static let columns =
    "id, price, discount, sale, currency, stock, vendor, vendor_id, created, modified, name, description, thumbnail, images"

  /// - Throws: `ArchiveFailure` where no temporary file can be made.
  package init(in store: VersionStore) throws(ArchiveFailure) {
    file = store.file
    let number = StagedMarket.made.withLock { made in
      made += 1
      return made
    }
    table = "temp.staged_\(number)"
    let table = table
    // `wording` is that of the product as it is known, where its texts are the same; `same` where all of it is.
    try file.unlocked { database in
      try database.execute(
        sql: """
          CREATE TABLE \(table)(
            id INTEGER PRIMARY KEY, price TEXT, discount TEXT, sale TEXT, currency TEXT, stock INTEGER, vendor TEXT,
            vendor_id INTEGER, created TEXT, modified TEXT, name TEXT, description TEXT, thumbnail TEXT, images TEXT,
            wording INTEGER, same INTEGER)
          """)
    }
  }

  deinit {
    let table = table
    file.queue.asyncWriteWithoutTransaction { try? $0.execute(sql: "DROP TABLE IF EXISTS \(table)") }
  }

  /// Of a number that comes again the last is kept.
  ///
  /// - Throws: `ArchiveFailure`.
  package func add(_ products: [Product]) throws(ArchiveFailure) {
    try file.unlocked { database in
      let insert = try database.cachedStatement(
        sql: "INSERT OR REPLACE INTO \(table)(\(StagedMarket.columns)) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
      for product in products {
        let row = KeptRow(product)
        let (figures, words) = (row.figures, row.wording)
        try insert.execute(arguments: [
          row.id, figures.price, figures.discount, figures.sale, figures.currency, figures.stock, figures.vendor,
          figures.vendorID, figures.created, figures.modified, words.name, words.description, words.thumbnail,
          words.images,
        ])
      }
    }
  }
}
