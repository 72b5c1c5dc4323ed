import Catalog
import GRDB

/// The market of a snapshot: the name of its profile, the edition, and its identity.
///
/// Product ids are unique within one market only.
package struct SnapshotMarket: Hashable, Sendable {
  package var name: String
  package var edition: String
  package var market: MarketIdentity

  package init(name: String, edition: String, market: MarketIdentity) {
    self.name = name
    self.edition = edition
    self.market = market
  }
}

extension MarketSnapshotStore {
  /// Returns the number of a market in the tables, or `nil` if it has no version.
  ///
  /// - Throws: `StoreError`.
  package func number(of market: SnapshotMarket) throws(StoreError) -> Int64? {
    try file.read { try MarketSnapshotStore.number(of: market, $0) }
  }

  /// Returns the generation of the versions of a market, or `nil` if it wasn't known.
  ///
  /// - Throws: `StoreError`.
  package func generation(of market: SnapshotMarket) throws(StoreError) -> MarketGeneration? {
    try file.read { database in
      guard let number = try MarketSnapshotStore.number(of: market, database) else { return nil }
      let text = try String.fetchOne(
        database, sql: "SELECT generation FROM generation WHERE market = ? LIMIT 1", arguments: [number])
      return text.flatMap { MarketGeneration($0) }
    }
  }

  /// Returns whether versions of the market, or of another one that was at its address, have a generation.
  ///
  /// - Throws: `StoreError`.
  package func knowsGenerations(of market: SnapshotMarket) throws(StoreError) -> Bool {
    try file.read { database in
      try MarketSnapshotStore.candidates(for: market, database).contains { $0.market.generation != nil }
    }
  }

  /// Returns the market of versions that were made at the same address in another generation and have a name, or `nil`.
  ///
  /// Without a name, any versions are meant.
  ///
  /// - Throws: `StoreError`.
  package func market(
    named label: String?, insteadOf market: SnapshotMarket
  ) throws(StoreError) -> MarketIdentity? {
    try file.read { database in
      let own = try MarketSnapshotStore.number(of: market, database)
      return try MarketSnapshotStore.candidates(for: market, database).filter { $0.number != own }.first { candidate in
        try Bool.fetchOne(
          database,
          sql: """
            SELECT EXISTS(SELECT 1 FROM version v LEFT JOIN name l ON l.market = v.market AND l.version = v.n
              WHERE v.market = ? AND (? IS NULL OR l.name = ?))
            """, arguments: [candidate.number, label, label]) ?? false
      }?.market
    }
  }

  /// Returns the number of a market in the tables.
  ///
  /// The first generation continues the versions of the market that were stored before generations were known. Without a
  /// generation, it is the market of the newest version that was made at the address.
  static func number(of market: SnapshotMarket, _ database: Database, making: Bool = false) throws -> Int64? {
    let candidates = try candidates(for: market, database)
    var found: Int64?
    if let generation = market.market.generation {
      found = try Int64.fetchOne(
        database,
        sql:
          "SELECT g.market FROM generation g JOIN market m ON m.n = g.market WHERE g.generation = ? AND m.edition = ?",
        arguments: [generation.description, market.edition])
      if let found { return found }
      found = candidates.first { $0.market.generation == nil }?.number
    } else {
      found = candidates.first?.number
    }
    guard making else { return found }
    if found == nil {
      let address = market.market.address
      let isTaken = candidates.contains { $0.market.address == address }
      let name = isTaken ? address + "#" + (market.market.generation?.description ?? "") : address
      try database.execute(
        sql: "INSERT INTO market(name, edition, address) VALUES(?, ?, ?)",
        arguments: [market.name, market.edition, name])
      found = database.lastInsertedRowID
    }
    if let found, let generation = market.market.generation {
      try database.execute(
        sql: "INSERT OR IGNORE INTO generation VALUES(?, ?)", arguments: [generation.description, found])
    }
    return found
  }

  /// Returns the markets at the addresses of a market, the one with the newest version first.
  ///
  /// The embedded market had no address in files of earlier versions.
  private static func candidates(
    for market: SnapshotMarket, _ database: Database
  ) throws -> [(number: Int64, market: MarketIdentity)] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT m.n, m.address, g.generation FROM market m LEFT JOIN generation g ON g.market = m.n
          WHERE m.name = ? AND m.edition = ?
          ORDER BY (SELECT max(n) FROM version v WHERE v.market = m.n) DESC
        """, arguments: [market.name, market.edition])
    return rows.compactMap { row in
      let stored = (row["address"] as String).split(separator: "#").first.map(String.init)
      let generation = (row["generation"] as String?).flatMap { MarketGeneration($0) }
      let identity = MarketIdentity(address: stored ?? "embedded:" + market.edition, generation: generation)
      return market.market.addresses.contains(identity.address) ? (row["n"], identity) : nil
    }
  }
}
