import GRDB

/// The right to delete one product once, handed out before the delete.
struct Ticket: Hashable, Sendable {
  var uuid: String
  var product: Int64
  var vendor: Int64

  func insert(at stamp: Stamp, in database: Database) throws {
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
