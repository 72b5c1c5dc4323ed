import GRDB

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

  /// The owner of products created in the editions of 2021, which have no vendors.
  static let campID: Int64 = 1

  /// The last number reserved for vendors of the sample market.
  static let lastSampleID: Int64 = 100

  /// Returns the vendor with an identifier, ignoring case, as for UUIDs.
  static func find(identifier: String, in database: Database) throws -> VendorRow? {
    let sql = "SELECT * FROM vendors WHERE identifier = ?"
    return try fetchOne(database.cachedStatement(sql: sql), arguments: [identifier.lowercased()])
  }

  /// Returns the vendor with a secret, the first one if several have it.
  static func find(secret: String, in database: Database) throws -> VendorRow? {
    let sql = "SELECT * FROM vendors WHERE secret = ? ORDER BY id LIMIT 1"
    return try fetchOne(database.cachedStatement(sql: sql), arguments: [secret])
  }

  /// Returns all vendors but the one of the editions without vendors.
  static func all(in database: Database) throws -> [VendorRow] {
    try fetchAll(
      database, sql: "SELECT * FROM vendors WHERE id <> ? ORDER BY id", arguments: [campID])
  }

  /// Returns the vendor with a name, or with one that is canonically equivalent, such as Hangul written in single letters.
  static func find(name: String, in database: Database) throws -> VendorRow? {
    let sql = "SELECT * FROM vendors WHERE name = ? ORDER BY id LIMIT 1"
    return try fetchOne(database, sql: sql, arguments: [name]) ?? all(in: database).first { $0.name == name }
  }

  /// Returns a configured vendor: an existing one by name, updated with the given credentials, or a new one.
  static func findOrCreate(_ wanted: VendorRequest, at now: MarketTime, in database: Database) throws -> VendorRow {
    if var row = try find(name: wanted.name, in: database) {
      row.identifier = wanted.identifier?.lowercased() ?? row.identifier
      row.secret = wanted.secret ?? row.secret
      try database.execute(
        sql: "UPDATE vendors SET identifier = ?, secret = ? WHERE id = ?",
        arguments: [row.identifier, row.secret, row.id])
      return row
    }
    let highest = try Int64.fetchOne(database, sql: "SELECT max(id) FROM vendors") ?? 0
    let id = max(highest, lastSampleID) + 1
    let row = VendorRow(
      id: id, name: wanted.name,
      identifier: wanted.identifier?.lowercased()
        ?? UUIDv1(at: now.adding(seconds: id), random: .random(in: 0 ... .max)).text,
      secret: wanted.secret ?? String(UInt64.random(in: 0 ... .max), radix: 36), created: now)
    try row.insert(in: database)
    return row
  }

  var login: VendorLogin { VendorLogin(identifier: identifier, secret: secret, vendorID: Int(id), name: name) }

  func insert(in database: Database) throws {
    try database.cachedStatement(
      sql: "INSERT INTO vendors(id, name, fold, identifier, secret, created) VALUES (?, ?, ?, ?, ?, ?)"
    ).execute(
      arguments: [id, name, SearchText.searchKey(name), identifier, secret, created.microseconds])
  }
}

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
