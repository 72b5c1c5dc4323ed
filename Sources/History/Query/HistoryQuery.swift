import Foundation
import GRDBSQLite
import Text

/// Runs one query over the archives of a market, on a read-only connection of its own.
package struct HistoryQuery: Sendable {
  /// The maximum number of rows in a result.
  ///
  /// A query for more rows must use `LIMIT`.
  package static let maximumRows = 100_000
  private static let maximumBytes = 64 << 20
  private static let mmapSize = 256 << 20

  private let versions: String
  private let calls: String?
  private let market: Int64
  private let log: [[SQLValue]]
  private let last: LastTable?
  private let later: LaterProducts

  /// Creates a query.
  ///
  /// - Parameters:
  ///   - versions: The path of the version file, which must exist.
  ///   - calls: The path of the exchange file, or `nil` if exchanges aren't stored.
  ///   - market: The number of the market whose products are queried; see `MarketSnapshotStore.number(of:)`. Without one,
  ///     its tables are empty.
  ///   - log: The rows of `SQLTable.log`.
  ///   - last: The table `SQLTable.last`, or `nil` if there is no list.
  ///   - later: The products that this home changed after the newest version.
  package init(
    versions: String, calls: String?, market: Int64?, log: [[SQLValue]], last: LastTable? = nil,
    later: LaterProducts = LaterProducts(changed: [], deleted: [])
  ) {
    self.later = later
    self.versions = versions
    self.calls = calls
    self.market = market ?? 0
    self.log = log
    self.last = last
  }

  /// Runs the query.
  ///
  /// Nothing on disk is changed, whatever the text contains.
  ///
  /// - Parameters:
  ///   - text: The SQL statement.
  ///   - seconds: The time limit.
  /// - Returns: The columns and rows.
  /// - Throws: `SQLError`.
  package func run(_ text: String, seconds: Double = 1) throws(SQLError) -> SQLResult {
    guard CopiedSubqueries.isWithinLimit(in: text) else { throw .tooManyCTECopies }
    guard !QuerySandbox.mentionsInternalTables(text) else { throw .forbidden }
    let connection = try open()
    defer { sqlite3_close_v2(connection) }
    let watch = QuerySandbox(seconds: seconds)
    watch.install(connection)
    let statement = try prepare(text, on: connection, sandbox: watch)
    defer { sqlite3_finalize(statement) }
    let result = try withExtendedLifetime(watch) { () throws(SQLError) in
      try rows(of: statement, connection, watch)
    }
    return result
  }

  private func prepare(
    _ text: String, on connection: OpaquePointer, sandbox watch: QuerySandbox
  ) throws(SQLError) -> OpaquePointer {
    var statement: OpaquePointer?
    var rest = ""
    var code = SQLITE_OK
    var bytes = Array(text.utf8.map { CChar(bitPattern: $0) })
    guard !bytes.contains(0) else { throw .notASingleQuery }
    bytes.append(0)
    bytes.withUnsafeBufferPointer { buffer in
      var tail: UnsafePointer<CChar>?
      code = sqlite3_prepare_v3(connection, buffer.baseAddress, Int32(buffer.count), 0, &statement, &tail)
      if let tail { rest = String(cString: tail) }
    }
    guard code == SQLITE_OK else { throw failure(code, on: connection, sandbox: watch) }
    guard let statement else { throw .notASingleQuery }
    guard CopiedSubqueries.tokenize(rest).allSatisfy({ $0 == ";" }), sqlite3_column_count(statement) > 0,
      sqlite3_stmt_readonly(statement) != 0
    else {
      sqlite3_finalize(statement)
      throw .notASingleQuery
    }
    return statement
  }

  private func rows(
    of statement: OpaquePointer, _ connection: OpaquePointer, _ watch: QuerySandbox
  ) throws(SQLError) -> SQLResult {
    let width = sqlite3_column_count(statement)
    var result = SQLResult(columns: [], rows: [])
    for column in 0..<width {
      result.columns.append(sqlite3_column_name(statement, column).map { String(cString: $0) } ?? "")
    }
    var bytes = 0
    while true {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return result }
      guard code == SQLITE_ROW else { throw failure(code, on: connection, sandbox: watch) }
      guard result.rows.count < HistoryQuery.maximumRows else { throw .tooManyRows(HistoryQuery.maximumRows) }
      var row: [SQLValue] = []
      for column in 0..<width {
        bytes += 16 + Int(sqlite3_column_bytes(statement, column))
        row.append(HistoryQuery.value(statement, column))
      }
      guard bytes < HistoryQuery.maximumBytes else { throw .tooMuchMemory }
      result.rows.append(row)
    }
  }

  private static func value(_ statement: OpaquePointer, _ column: Int32) -> SQLValue {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      let size = Int(sqlite3_column_bytes(statement, column))
      guard let start = sqlite3_column_text(statement, column) else { return .text("") }
      return .text(String(decoding: UnsafeBufferPointer(start: start, count: size), as: UTF8.self))
    case SQLITE_BLOB: return .blob(Int(sqlite3_column_bytes(statement, column)))
    default: return .null
    }
  }

  private func failure(_ code: Int32, on connection: OpaquePointer, sandbox watch: QuerySandbox) -> SQLError {
    if let failure = watch.failure { return failure }
    let words = String(cString: sqlite3_errmsg(connection))
    switch code & 0xFF {
    case SQLITE_AUTH, SQLITE_PERM, SQLITE_READONLY: return .forbidden
    case SQLITE_NOMEM: return .tooMuchMemory
    case SQLITE_BUSY, SQLITE_LOCKED: return .archive(.busy)
    case SQLITE_CORRUPT, SQLITE_NOTADB: return .archive(.damaged(path: versions))
    default: return .invalidSQL(words)
    }
  }
}

// The connection: an in-memory database with the archives attached read-only and a view for each table.
extension HistoryQuery {
  private func open() throws(SQLError) -> OpaquePointer {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(":memory:", &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw .archive(.unreachable(path: ":memory:", reason: "SQLite \(code)"))
    }
    do {
      sqlite3_busy_timeout(opened, 500)
      try run("PRAGMA temp_store = MEMORY", opened)
      try run("ATTACH \(HistoryQuery.fileURI(versions)) AS versions", opened)
      // All products of a market are read through memory mapping.
      try run("PRAGMA versions.mmap_size = \(HistoryQuery.mmapSize)", opened)
      if let calls { try run("ATTACH \(HistoryQuery.fileURI(calls)) AS archive", opened) }
      if !later.isEmpty {
        try run(LaterProducts.createTablesSQL, opened)
        try insert(later.rows, columns: later.rows.first?.count ?? 0, into: "later", opened)
        try insert(later.ids, columns: 1, into: "later_id", opened)
      }
      for table in SQLTable.allCases where table != .calls || calls != nil {
        let text = table == .last ? last?.createTableSQL : nil
        let view = table.createViewSQL(market: market, hasLaterChanges: !later.isEmpty)
        do { try run(text ?? view, opened) } catch  where table == .texts { continue }
      }
      try insert(log, columns: SQLTable.log.columns.count, into: SQLTable.log.rawValue, opened)
      if let last { try insert(last.rows, columns: last.columns.count, into: SQLTable.last.rawValue, opened) }
      // The first query prepares the full-text index, which the later limits would forbid.
      try? run("SELECT id FROM texts WHERE text MATCH 'abc' LIMIT 1", opened)
      try run("PRAGMA query_only = ON", opened)
      return opened
    } catch {
      sqlite3_close_v2(opened)
      throw error
    }
  }

  private func run(_ text: String, _ connection: OpaquePointer) throws(SQLError) {
    let code = sqlite3_exec(connection, text, nil, nil, nil)
    guard code == SQLITE_OK else {
      switch code & 0xFF {
      case SQLITE_BUSY, SQLITE_LOCKED: throw .archive(.busy)
      case SQLITE_CORRUPT, SQLITE_NOTADB: throw .archive(.damaged(path: versions))
      default:
        throw .archive(.unreachable(path: versions, reason: String(cString: sqlite3_errmsg(connection))))
      }
    }
  }

  /// Returns a quoted URI that opens the file read-only, with every special character escaped.
  private static func fileURI(_ path: String) -> String {
    "'file:\(PercentEncoding.path(path))?mode=ro'"
  }

  private func insert(
    _ rows: [[SQLValue]], columns: Int, into table: String, _ connection: OpaquePointer
  ) throws(SQLError) {
    guard !rows.isEmpty else { return }
    let marks = Array(repeating: "?", count: columns).joined(separator: ", ")
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    let text = "INSERT INTO \(table) VALUES(\(marks))"
    guard sqlite3_prepare_v2(connection, text, -1, &statement, nil) == SQLITE_OK else {
      throw .archive(.unreachable(path: table, reason: String(cString: sqlite3_errmsg(connection))))
    }
    for row in rows {
      for (index, value) in row.enumerated() { HistoryQuery.bind(value, to: statement, Int32(index + 1)) }
      sqlite3_step(statement)
      sqlite3_reset(statement)
    }
  }

  private static func bind(_ value: SQLValue, to statement: OpaquePointer?, _ index: Int32) {
    switch value {
    case .null, .blob: sqlite3_bind_null(statement, index)
    case .integer(let number): sqlite3_bind_int64(statement, index, number)
    case .real(let number): sqlite3_bind_double(statement, index, number)
    case .text(let text):
      // The value is SQLITE_TRANSIENT: SQLite copies the text before the function returns.
      sqlite3_bind_text(statement, index, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }
  }
}
