import Catalog
import GRDB
import Text

/// The runs and writes of a market that its reset settled.
package struct MarketResetRecord: Hashable, Sendable {
  /// The interrupted runs of the market before the reset.
  package var runs: [Int]
  /// The writes that were pending there.
  package var writeCount: Int
  /// The time of the reset, if the server says it.
  package var began: Timestamp?
}

/// The names by which the rows of the journal refer to markets.
extension Journal {
  /// Returns the name of a market, which is its address or, for a later generation at an address, begins with it.
  ///
  /// The first generation that is seen at an address has the name of what was recorded there before generations were
  /// known. A generation has the same name at every address. Without a generation, the name is that of the last generation
  /// that was seen at the address. Records of the other addresses become records of this market.
  ///
  /// - Throws: `JournalError` if the log can't be read or written.
  package func name(of market: MarketIdentity) throws(JournalError) -> String {
    let known = try read { database in
      let name = try name(of: market, database)
      let isLast = try market.generation == nil || name == lastName(at: [market.address], database)
      return (name, try isLast && market.otherAddresses.allSatisfy { try !isToBeRenamed($0, to: name, database) })
    }
    guard !known.1, readOnly == nil else { return known.0 }
    return try write(durable: false) { database in
      let name = try name(of: market, database)
      try record(name, of: market.generation, at: market.address, database)
      for other in market.otherAddresses {
        guard try isToBeRenamed(other, to: name, database) else { continue }
        try rename(other, to: name, database)
        try database.execute(sql: "UPDATE market SET base_url = ? WHERE base_url = ?", arguments: [name, other])
        try record(name, of: nil, at: other, database)
      }
      return name
    }
  }

  /// Returns the other markets that were seen at the addresses of a market: those before its reset, and those that had the
  /// same address.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func otherMarkets(
    at market: MarketIdentity
  ) throws(JournalError) -> [(name: String, market: MarketIdentity)] {
    try read { database in
      let rows = try Row.fetchAll(
        database, sql: "SELECT address, generation, base_url FROM market WHERE generation <> '' ORDER BY seen DESC")
      return rows.compactMap { row in
        let other = MarketIdentity(address: row["address"], generation: MarketGeneration(row["generation"] as String))
        switch market.mismatch(with: other) {
        case .reset, .otherGeneration: return (row["base_url"], other)
        case .otherAddress, .otherMarket, nil: return nil
        }
      }
    }
  }

  /// A Boolean value that indicates that a market said its generation.
  ///
  /// Throws `JournalError` if the log can't be read.
  package var knowsGenerations: Bool {
    get throws(JournalError) {
      try read { database in
        try Bool.fetchOne(database, sql: "SELECT EXISTS(SELECT 1 FROM market WHERE generation <> '')") ?? false
      }
    }
  }

  /// Returns whether the records of an address have a name of their own.
  private func isToBeRenamed(_ address: String, to name: String, _ database: Database) throws -> Bool {
    let used = try lastName(at: [address], database)
    return address != name && (used == nil || used == address)
  }

  private func name(of market: MarketIdentity, _ database: Database) throws -> String {
    guard let generation = market.generation else {
      return try lastName(at: market.addresses, database) ?? market.address
    }
    let recorded = try String.fetchOne(
      database, sql: "SELECT base_url FROM market WHERE generation = ? LIMIT 1", arguments: [generation.description])
    if let recorded { return recorded }
    let earlier = try lastName(at: market.addresses, database) ?? market.address
    let isTaken = try Bool.fetchOne(
      database, sql: "SELECT EXISTS(SELECT 1 FROM market WHERE base_url = ? AND generation <> '')",
      arguments: [earlier])
    return isTaken == true ? "\(market.address)#\(generation)" : earlier
  }

  /// Returns the name of the market that was seen last at the first of the addresses that is known.
  private func lastName(at addresses: [String], _ database: Database) throws -> String? {
    for address in addresses {
      let name = try String.fetchOne(
        database, sql: "SELECT base_url FROM market WHERE address = ? ORDER BY seen DESC LIMIT 1",
        arguments: [address])
      if let name { return name }
    }
    return nil
  }

  private func record(
    _ name: String, of generation: MarketGeneration?, at address: String, _ database: Database
  ) throws {
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO market(address, generation, base_url, seen)
          VALUES(?, ?, ?, (SELECT coalesce(max(seen), 0) + 1 FROM market))
        """, arguments: [address, generation?.description ?? "", name])
  }

  private func rename(_ old: String, to new: String, _ database: Database) throws {
    for table in ["op", "run"] {
      // An altered row stays as it is.
      let condition = table == "op" ? " AND digest IS \(RowChecksum.entryExpression)" : ""
      try database.execute(
        sql: "UPDATE \(table) SET base_url = ? WHERE base_url = ?" + condition, arguments: [new, old])
    }
    let rows = try Row.fetchAll(database, sql: "SELECT * FROM identity WHERE base_url = ?", arguments: [old])
    for row in rows where RowChecksum.holdsIdentity(row) {
      try database.execute(
        sql: "INSERT OR IGNORE INTO identity(base_url, old, new) VALUES(?, ?, ?)",
        arguments: [new, row["old"] as Int, row["new"] as Int])
    }
    try database.execute(sql: "DELETE FROM identity WHERE base_url = ?", arguments: [old])
    try database.execute(
      sql: "UPDATE OR REPLACE trait SET base_url = ? WHERE base_url = ?", arguments: [new, old])
  }

  /// Returns an address of the market with that name: the one where it was seen last.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func address(ofMarket name: String) throws(JournalError) -> String {
    try read { try address(ofMarket: name, $0) }
  }

  func address(ofMarket name: String, _ database: Database) throws -> String {
    try String.fetchOne(
      database, sql: "SELECT address FROM market WHERE base_url = ? ORDER BY seen DESC LIMIT 1", arguments: [name])
      ?? name
  }

  /// Settles the runs of the generations of a market before its reset, and abandons what was pending there: no request
  /// can reach those products any more.
  ///
  /// Writes of running shells stay.
  ///
  /// - Returns: What was settled, or `nil` if nothing was pending.
  /// - Throws: `JournalError` if the log can't be read or written.
  package func settleEarlierGenerations(of market: MarketIdentity) throws(JournalError) -> MarketResetRecord? {
    guard let generation = market.generation, readOnly == nil else { return nil }
    let earlier = try read { database in
      let rows = try Row.fetchAll(
        database, sql: "SELECT DISTINCT address, generation, base_url FROM market WHERE generation <> ''")
      let names: [String] = rows.compactMap { row in
        let other = MarketIdentity(address: row["address"], generation: MarketGeneration(row["generation"] as String))
        guard case .reset = market.mismatch(with: other) else { return nil }
        return row["base_url"]
      }
      return try Set(names).filter { name in
        try Bool.fetchOne(
          database,
          sql: """
            SELECT EXISTS(SELECT 1 FROM run WHERE base_url = ? AND state IN (\(Journal.unsettled)))
              OR EXISTS(SELECT 1 FROM op WHERE base_url = ? AND state IN (\(Journal.openStates)))
            """, arguments: [name, name]) ?? false
      }.sorted()
    }
    guard !earlier.isEmpty else { return nil }
    return try write(durable: true) { database in
      var record = MarketResetRecord(runs: [], writeCount: 0, began: generation.began)
      for name in earlier {
        let runs = try Int.fetchAll(
          database, sql: "SELECT n FROM run WHERE base_url = ? AND state IN (\(Journal.unsettled)) ORDER BY n",
          arguments: [name])
        record.runs += try runs.filter { try settle($0, current: nil, database) }
        let rows = try Row.fetchAll(
          database, sql: "SELECT * FROM op WHERE base_url = ? AND state IN (\(Journal.openStates)) ORDER BY n",
          arguments: [name])
        for row in rows where isUnowned(row) {
          try discard(row, because: .marketReset, database)
          record.writeCount += 1
        }
      }
      return record.runs.isEmpty && record.writeCount == 0 ? nil : record
    }
  }
}

extension MarketLogin {
  /// Returns the key of a saved picture: its address, after the name of a later generation of the market.
  ///
  /// A later generation may have other pictures at the same addresses.
  func pictureKey(_ address: String) -> String { baseURL.contains("#") ? baseURL + " " + address : address }
}
