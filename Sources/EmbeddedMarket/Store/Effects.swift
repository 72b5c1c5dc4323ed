import Foundation
import GRDB

/// The log of effects; appended to in the transaction of the effect.
enum Effects {
  static func append(
    _ kind: MarketEffect.Kind, product: Int64, vendor: Int64, cause: Cause, at stamp: Stamp, in database: Database
  ) throws {
    let sql = "INSERT INTO effects(kind, product, vendor, body, at, request) VALUES (?, ?, ?, ?, ?, ?)"
    try database.cachedStatement(sql: sql).execute(
      arguments: [kind.rawValue, product, vendor, cause.bodyHash, stamp.microseconds, cause.request])
  }

  static func all(in database: Database) throws -> [MarketEffect] {
    try Row.fetchAll(database, sql: "SELECT * FROM effects ORDER BY n").compactMap { row in
      guard let kind = MarketEffect.Kind(rawValue: row["kind"]) else { return nil }
      return MarketEffect(
        number: row["n"], kind: kind, product: row["product"], vendor: row["vendor"], bodyHash: row["body"],
        at: row["at"], request: row["request"])
    }
  }
}
