import Catalog
import GRDB

/// A market on its way into the archive: what a scan brings lies on disk, in a file that has no name and goes with this
/// value, so a market of any size takes no memory and the archive is locked only while it is kept.
package final class StagedMarket: Sendable {
  private let queue: DatabaseQueue

  private static let columns =
    "id, price, discount, sale, currency, stock, vendor, vendor_id, created, modified, name, description, thumbnail, images"

  /// - Throws: `ArchiveFailure` where no temporary file can be made.
  package init() throws(ArchiveFailure) {
    do {
      // An empty path is SQLite's own name for such a file.
      queue = try DatabaseQueue(path: "")
      try queue.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA journal_mode = OFF")
        try database.execute(sql: "PRAGMA synchronous = OFF")
        try database.execute(
          sql: """
            CREATE TABLE staged(
              id INTEGER PRIMARY KEY, price TEXT, discount TEXT, sale TEXT, currency TEXT, stock INTEGER, vendor TEXT,
              vendor_id INTEGER, created TEXT, modified TEXT, name TEXT, description TEXT, thumbnail TEXT, images TEXT)
            """)
      }
    } catch {
      throw ArchiveFile.failure(error, StagedMarket.place)
    }
  }

  /// Of a number that comes again the last is kept.
  ///
  /// - Throws: `ArchiveFailure`.
  package func add(_ products: [Product]) throws(ArchiveFailure) {
    do {
      try queue.write { database in
        let insert = try database.cachedStatement(
          sql: "INSERT OR REPLACE INTO staged(\(StagedMarket.columns)) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
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
    } catch {
      throw ArchiveFile.failure(error, StagedMarket.place)
    }
  }

  /// Its rows by number, the smallest first, one at a time, and how many they are.
  func read<Value>(_ body: (_ count: Int, _ next: () throws -> KeptRow?) throws -> Value) throws -> Value {
    try queue.unsafeRead { database in
      let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM staged") ?? 0
      let rows = try Row.fetchCursor(database, sql: "SELECT \(StagedMarket.columns) FROM staged ORDER BY id")
      return try body(count) { try rows.next().map { KeptRow($0) } }
    }
  }

  private static let place = "a temporary file"
}
