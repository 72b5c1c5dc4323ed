import Foundation
import GRDB

/// The log of effects; appended to in the transaction of the effect.
enum Effects {
  static func append(
    _ kind: MarketEffect.Kind, product: Int64, vendor: Int64, cause: EffectCause, at stamp: MarketTime,
    in database: Database
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

/// What an effect remembers of the request that had it.
struct EffectCause: Hashable, Sendable {
  var bodyHash: String
  var request: String?

  init(body: Data, request: String?) {
    // FNV-1a, 64 bit: enough to tell requests of a test apart, and no library for it.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    body.withUnsafeBytes { bytes in
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    let digits = String(hash, radix: 16)
    bodyHash = String(repeating: "0", count: 16 - digits.count) + digits
    self.request = request
  }
}
