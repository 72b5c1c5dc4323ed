import GRDB

/// A ticket for deleting one product once, issued before the deletion.
struct DeletionToken: Hashable, Sendable {
  var uuid: String
  var product: Int64
  var vendor: Int64

  func insert(at stamp: MarketTime, in database: Database) throws {
    try database.execute(
      sql: "INSERT INTO tickets(uuid, product, vendor, at) VALUES (?, ?, ?, ?)",
      arguments: [uuid, product, vendor, stamp.microseconds])
  }

  static func find(_ uuid: String, in database: Database) throws -> DeletionToken? {
    let row = try Row.fetchOne(
      database, sql: "SELECT uuid, product, vendor FROM tickets WHERE uuid = ?", arguments: [uuid])
    return row.map { DeletionToken(uuid: $0["uuid"], product: $0["product"], vendor: $0["vendor"]) }
  }
}
