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
      var row = RowBinding(insert.sqliteStatement)
      for product in products { try row.write(product) }
    }
  }
}

/// Writes rows by SQLite's own functions, of a hundred thousand fourteen values each.
private struct RowBinding {
  private let statement: SQLiteStatement
  private var place: Int32 = 0
  /// An amount or a time is spelled here rather than as a text of its own.
  private var spelled: [UInt8] = []

  init(_ statement: SQLiteStatement) { self.statement = statement }

  /// In the order of the staged table's columns.
  mutating func write(_ product: Product) throws {
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
    place = 0
    bind(~product.id)
    for amount in [product.price, product.discount, product.sale] { bind(amount) { $0.write(to: &$1) } }
    bind(product.currency?.code)
    bind(product.stock)
    bind(product.vendor)
    bind(product.vendorID)
    for time in [product.created, product.modified] { bind(time) { $0.write(to: &$1) } }
    for text in [product.name, product.description, product.thumbnail] { bind(text) }
    bind(product.images.map(KeptRow.text(of:)))
    let code = sqlite3_step(statement)
    sqlite3_reset(statement)
    guard code == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  private mutating func bind(_ number: Int?) {
    place += 1
    if let number { sqlite3_bind_int64(statement, place, Int64(number)) }
  }

  private mutating func bind(_ text: String?) {
    place += 1
    guard var text else { return }
    text.withUTF8 { bind($0) }
  }

  private mutating func bind<Value>(_ value: Value?, spelling: (Value, inout [UInt8]) -> Void) {
    place += 1
    guard let value else { return }
    spelled.removeAll(keepingCapacity: true)
    spelling(value, &spelled)
    spelled.withUnsafeBufferPointer { bind($0) }
  }

  private func bind(_ bytes: UnsafeBufferPointer<UInt8>) {
    // The bytes are copied: nobody holds them until the row is written.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    // Without an address it would be no text at all.
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      sqlite3_bind_text(statement, place, "", 0, copied)
      return
    }
    _ = start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      sqlite3_bind_text(statement, place, $0, Int32(bytes.count), copied)
    }
  }
}
