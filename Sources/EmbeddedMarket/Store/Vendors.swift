import GRDB

/// A vendor as the store knows it.
struct VendorRow: Hashable, Sendable {
  var id: Int64
  var name: String
  var identifier: String
  var secret: String
  var created: MarketTime
}

extension VendorRow: FetchableRecord {
  init(row: Row) {
    id = row["id"]
    name = row["name"]
    identifier = row["identifier"]
    secret = row["secret"]
    created = MarketTime(microseconds: row["created"])
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
      arguments: [id, name, SearchText.text(name), identifier, secret, created.microseconds])
  }
}

/// The right to delete one product once, handed out before the delete.
struct Ticket: Hashable, Sendable {
  var uuid: String
  var product: Int64
  var vendor: Int64

  func insert(at stamp: MarketTime, in database: Database) throws {
    try database.execute(
      sql: "INSERT INTO tickets(uuid, product, vendor, at) VALUES (?, ?, ?, ?)",
      arguments: [uuid, product, vendor, stamp.microseconds])
  }

  static func find(_ uuid: String, in database: Database) throws -> Ticket? {
    let row = try Row.fetchOne(
      database, sql: "SELECT uuid, product, vendor FROM tickets WHERE uuid = ?", arguments: [uuid])
    return row.map { Ticket(uuid: $0["uuid"], product: $0["product"], vendor: $0["vendor"]) }
  }
}
