import GRDB

/// The members of a product beyond its fields, as clients of an API that a file describes have sent them.
///
/// They are in a table of their own, which is created when such an API is first served. An older program ignores it; the
/// members go with the product.
struct ProductMembers: Hashable, Sendable {
  /// The JSON text of an object.
  var json: String
  /// The value of the member that no other product has.
  var mark: String?

  static func createTable(in database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS members(
          product INTEGER PRIMARY KEY REFERENCES products ON DELETE CASCADE, mark TEXT UNIQUE, json TEXT NOT NULL);
        """)
  }

  /// Returns the members of a product, or `nil` if it has none.
  static func find(_ product: Int64, in database: Database) throws -> ProductMembers? {
    let sql = "SELECT mark, json FROM members WHERE product = ?"
    let row = try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [product])
    return row.map { ProductMembers(json: $0[1], mark: $0[0]) }
  }

  /// Returns the JSON texts of the members of several products.
  static func json(of products: [Int64], in database: Database) throws -> [Int64: String] {
    guard !products.isEmpty else { return [:] }
    let marks = databaseQuestionMarks(count: products.count)
    let sql = "SELECT product, json FROM members WHERE product IN (\(marks))"
    var found: [Int64: String] = [:]
    let cursor = try Row.fetchCursor(database, sql: sql, arguments: StatementArguments(products))
    while let row = try cursor.next() { found[row[0]] = row[1] }
    return found
  }

  /// Returns whether another product has a mark.
  static func isTaken(_ mark: String, byAnotherThan product: Int64?, in database: Database) throws -> Bool {
    let sql = "SELECT product FROM members WHERE mark = ?"
    let owner = try Int64.fetchOne(database.cachedStatement(sql: sql), arguments: [mark])
    return owner != nil && owner != product
  }

  /// Stores the members of a product in place of those that it had.
  func store(of product: Int64, in database: Database) throws {
    let sql = "INSERT OR REPLACE INTO members(product, mark, json) VALUES (?, ?, ?)"
    try database.cachedStatement(sql: sql).execute(arguments: [product, mark, json])
  }

  /// Returns the bytes that the members of a vendor's products take.
  static func byteCount(of vendor: Int64, in database: Database) throws -> Int64 {
    guard try database.tableExists("members", in: "main") else { return 0 }
    let sql = """
      SELECT ifnull(sum(length(CAST(m.json AS BLOB))), 0) FROM members m JOIN products p ON p.id = m.product
      WHERE p.vendor = ?
      """
    return try Int64.fetchOne(database.cachedStatement(sql: sql), arguments: [vendor]) ?? 0
  }

  /// Inserts the members of the attached database `saved`, whose products were inserted before.
  static func restore(in database: Database) throws {
    let isSaved = try Bool.fetchOne(
      database, sql: "SELECT EXISTS(SELECT 1 FROM saved.sqlite_master WHERE type = 'table' AND name = 'members')")
    guard isSaved == true, try database.tableExists("members", in: "main") else { return }
    try database.execute(sql: "INSERT INTO members SELECT * FROM saved.members")
  }
}
