import Catalog
import GRDB
import GRDBSQLite
import Synchronization

/// The products of a scan before they are stored in the archive.
///
/// They are kept in a temporary table on disk, which only this connection sees. A market of any size then needs no
/// memory, and the archive is locked only while the scan is stored.
package final class StagedMarket: Sendable {
  private let file: ArchiveFile
  /// The qualified name of the table.
  ///
  /// The key of a product is `~id`, because most lists begin with the newest product and rows that arrive in key order
  /// are appended.
  let table: String
  /// The name of a second table with the result for each product: the number of its texts, and whether it is unchanged
  /// (1), has the same texts (0) or new ones (-1).
  let marks: String

  private static let made = Mutex(0)
  private static let columns = ["key"] + KeptRow.figures + KeptRow.texts

  /// Creates the tables.
  ///
  /// - Throws: `ArchiveFailure` if no temporary file can be created.
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

  /// Adds products.
  ///
  /// If an id is repeated, the last product is used.
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

/// Binds the values of rows through SQLite's C functions, because there can be a hundred thousand rows of fourteen
/// values.
private struct RowBinding {
  private let statement: SQLiteStatement
  private var place: Int32 = 0
  /// A buffer for the text of amounts and times, which avoids a `String` for each.
  private var spelled: [UInt8] = []

  init(_ statement: SQLiteStatement) { self.statement = statement }

  /// Inserts a product, with its values in the order of the table's columns.
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
    // SQLITE_TRANSIENT: SQLite copies the bytes, which don't outlive this call.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    // With a null address SQLite would bind NULL instead of an empty text.
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      sqlite3_bind_text(statement, place, "", 0, copied)
      return
    }
    _ = start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      sqlite3_bind_text(statement, place, $0, Int32(bytes.count), copied)
    }
  }
}
