import GRDB

/// A vendor as the store knows it.
struct VendorRow: Hashable, Sendable {
  var id: Int64
  var name: String
  var identifier: String
  var secret: String
  var created: Stamp
}

extension VendorRow: FetchableRecord {
  init(row: Row) {
    id = row["id"]
    name = row["name"]
    identifier = row["identifier"]
    secret = row["secret"]
    created = Stamp(microseconds: row["created"])
  }

  static func find(_ id: Int64, in database: Database) throws -> VendorRow? {
    try fetchOne(database.cachedStatement(sql: "SELECT * FROM vendors WHERE id = ?"), arguments: [id])
  }

  /// Identifiers compare without case, as UUIDs do.
  static func find(identifier: String, in database: Database) throws -> VendorRow? {
    let sql = "SELECT * FROM vendors WHERE identifier = ?"
    return try fetchOne(database.cachedStatement(sql: sql), arguments: [identifier.lowercased()])
  }

  func insert(in database: Database) throws {
    try database.execute(
      sql: "INSERT INTO vendors(id, name, fold, identifier, secret, created) VALUES (?, ?, ?, ?, ?, ?)",
      arguments: [id, name, Fold.text(name), identifier, secret, created.microseconds])
  }
}
