import GRDB

/// The log of effects.
///
/// A record is appended in the transaction of its effect.
enum AuditLog {
  static func append(
    _ kind: AuditEntry.Kind, product: Int64, vendor: Int64, cause: AuditCause, at stamp: MarketTime,
    in database: Database
  ) throws {
    let sql = "INSERT INTO effects(kind, product, vendor, body, at, request) VALUES (?, ?, ?, ?, ?, ?)"
    try database.cachedStatement(sql: sql).execute(
      arguments: [kind.rawValue, product, vendor, cause.bodyHash, stamp.microseconds, cause.request])
  }

  static func all(in database: Database) throws -> [AuditEntry] {
    try Row.fetchAll(database, sql: "SELECT * FROM effects ORDER BY n").compactMap { row in
      guard let kind = AuditEntry.Kind(rawValue: row["kind"]) else { return nil }
      return AuditEntry(
        number: row["n"], kind: kind, product: row["product"], vendor: row["vendor"], bodyHash: row["body"],
        at: row["at"], request: row["request"])
    }
  }
}
