import Foundation
import GRDB

/// A change made by the market.
///
/// It is recorded in the same transaction as the change and never modified.
package struct AuditEntry: Hashable, Sendable {
  /// The kind of change.
  package enum Kind: String, Hashable, Sendable {
    case create
    case edit
    /// A secret or path for a later deletion was issued.
    case archive
    case delete
  }

  /// The number, from 1 without gaps.
  package var number: Int64
  package var kind: Kind
  package var product: Int64
  package var vendor: Int64
  /// The FNV-1a hash (64 bits) of the request's body, as 16 hexadecimal digits.
  package var bodyHash: String
  /// The time in microseconds since 1970 UTC.
  package var at: Int64
  /// The `X-Request-Id` header field, if there was one.
  package var request: String?
}

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

/// The properties of a request that are recorded with its effect.
struct AuditCause: Hashable, Sendable {
  var bodyHash: String
  var request: String?

  init(body: Data, request: String?) {
    bodyHash = AuditCause.hash(of: body)
    self.request = request
  }

  /// Returns the FNV-1a hash of bytes, 64 bits as hexadecimal digits.
  ///
  /// It is enough to distinguish the requests of a test and the states of a product, without a library.
  static func hash(of content: some ContiguousBytes) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    content.withUnsafeBytes { bytes in
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
