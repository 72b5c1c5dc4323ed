import Catalog
import GRDB
import GRDBSQLite
import Synchronization

/// A market on its way into the archive: what a scan brings lies in a table that only this connection sees, on disk and
/// outside of the file, so a market of any size takes no memory and the file is locked only while it is kept.
package final class StagedMarket: Sendable {
  private let file: ArchiveFile
  /// Its name with the schema that SQLite keeps such tables in. The key of a product is `~id`: most lists begin with the
  /// newest, and rows that come in the order of their keys are put behind each other.
  let table: String
  /// Another table, of what is found out about each product: the number of its texts, and whether it is the same as
  /// before (1), has the same texts (0) or new ones (-1).
  let marks: String

  private static let made = Mutex(0)
  private static let columns = ["key"] + KeptRow.figures + KeptRow.texts

  /// - Throws: `ArchiveFailure` where no temporary file can be made.
  package init(in store: VersionStore) throws(ArchiveFailure) {
    file = store.file
    let number = StagedMarket.made.withLock { made in
      made += 1
      return made
    }
    table = "temp.staged_\(number)"
    marks = table + "_marks"
    let (table, marks) = (table, marks)
    try file.writeAside { database in
      try database.execute(
        sql: """
          CREATE TABLE \(table)(
            key INTEGER PRIMARY KEY, price TEXT, discount TEXT, sale TEXT, currency TEXT, stock INTEGER, vendor TEXT,
            vendor_id INTEGER, created TEXT, modified TEXT, name TEXT, description TEXT, thumbnail TEXT, images TEXT);
          CREATE TABLE \(marks)(id INTEGER PRIMARY KEY, wording INTEGER, same INTEGER);
          """)
    }
  }

  deinit {
    let tables = [table, marks]
    file.queue.asyncWriteWithoutTransaction { database in
      for table in tables { try? database.execute(sql: "DROP TABLE IF EXISTS \(table)") }
    }
  }

  /// Of a number that comes again the last is kept.
  ///
  /// - Throws: `ArchiveFailure`.
  package func add(_ products: [Product]) throws(ArchiveFailure) {
    try file.writeAside { database in
      let (columns, values) = (StagedMarket.columns, StagedMarket.columns.map { _ in "?" })
      let insert = try database.cachedStatement(
        sql: """
          INSERT OR REPLACE INTO \(table)(\(columns.joined(separator: ","))) VALUES(\(values.joined(separator: ",")))
          """)
      for product in products { try StagedMarket.insert(KeptRow(product), by: insert.sqliteStatement) }
    }
  }

  /// By SQLite's own functions: a hundred thousand rows of fourteen values are bound one by one.
  private static func insert(_ row: KeptRow, by statement: SQLiteStatement) throws {
    let (figures, words) = (row.figures, row.wording)
    var place: Int32 = 0
    func bind(_ number: Int?) {
      place += 1
      if let number { sqlite3_bind_int64(statement, place, Int64(number)) }
    }
    func bind(_ text: String?) {
      place += 1
      guard var text else { return }
      // The bytes are copied: nobody holds them until the row is written.
      let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      // Without an address it would be no text at all.
      if text.isEmpty {
        sqlite3_bind_text(statement, place, "", 0, copied)
        return
      }
      _ = text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          sqlite3_bind_text(statement, place, $0.baseAddress, Int32(bytes.count), copied)
        }
      }
    }
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
    bind(~row.id)
    for text in [figures.price, figures.discount, figures.sale, figures.currency] { bind(text) }
    bind(figures.stock)
    bind(figures.vendor)
    bind(figures.vendorID)
    for text in [figures.created, figures.modified, words.name, words.description, words.thumbnail, words.images] {
      bind(text)
    }
    let code = sqlite3_step(statement)
    sqlite3_reset(statement)
    guard code == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}
