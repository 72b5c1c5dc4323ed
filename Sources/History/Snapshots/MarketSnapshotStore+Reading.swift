import Catalog
import GRDB

extension MarketSnapshotStore {
  /// Returns the versions of a market, oldest first.
  ///
  /// - Throws: `StoreError`.
  package func versions(of identity: SnapshotMarket) throws(StoreError) -> [MarketSnapshot] {
    try file.read { database in
      guard let market = try MarketSnapshotStore.number(of: identity, database) else { return [] }
      var names: [Int: [String]] = [:]
      for row in try Row.fetchAll(
        database, sql: "SELECT * FROM name WHERE market = ? ORDER BY name", arguments: [market])
      {
        names[row["version"], default: []].append(row["name"])
      }
      return try Row.fetchAll(
        database, sql: "SELECT * FROM version WHERE market = ? ORDER BY taken, n", arguments: [market]
      ).map {
        MarketSnapshot(
          number: $0["n"], capturedAt: $0["taken"], products: $0["products"], isComplete: $0["complete"],
          labels: names[$0["n"]] ?? [])
      }
    }
  }

  /// Removes a name but not its version, and returns whether a version had it.
  ///
  /// - Throws: `StoreError`.
  package func forget(_ name: String, of identity: SnapshotMarket) throws(StoreError) -> Bool {
    try file.write { database in
      guard let market = try MarketSnapshotStore.number(of: identity, database) else { return false }
      try database.execute(sql: "DELETE FROM name WHERE market = ? AND name = ?", arguments: [market, name])
      return database.changesCount > 0
    }
  }

  /// Returns all products of a version, highest ids first.
  ///
  /// - Throws: `StoreError`.
  package func products(of identity: SnapshotMarket, in version: Int) throws(StoreError) -> [Product] {
    try rows(of: identity, "first <= ?2 AND (last IS NULL OR last > ?2)", [version])
  }

  /// Returns the given products as far as a version contains them, by id.
  ///
  /// - Throws: `StoreError`.
  package func products(
    _ ids: [Product.ID], of identity: SnapshotMarket, in version: Int
  ) throws(StoreError) -> [Product.ID: Product] {
    try file.read { database in
      guard let market = try MarketSnapshotStore.number(of: identity, database) else { return [:] }
      var found: [Product.ID: Product] = [:]
      let statement = try database.cachedStatement(sql: MarketSnapshotStore.selection(MarketSnapshotStore.oneThen))
      for id in ids {
        if let row = try Row.fetchOne(statement, arguments: [market, version, id]) {
          found[id] = ProductRow(row).product
        }
      }
      return found
    }
  }

  /// Returns the differences between two versions, by id: new products (no `before`), deleted ones (no `after`) and
  /// changed ones.
  ///
  /// Changes that were reverted in between aren't included.
  ///
  /// - Throws: `StoreError`.
  package func changes(
    of identity: SnapshotMarket, from early: Int, to late: Int
  ) throws(StoreError) -> [(before: Product?, after: Product?)] {
    try file.read { database in
      guard let market = try MarketSnapshotStore.number(of: identity, database) else { return [] }
      var after: [ProductRow] = []
      var wordings: [Int64] = []
      let begun = try MarketSnapshotStore.rows(
        [MarketSnapshotStore.startedInRange, MarketSnapshotStore.begunAndEnded], market: market, early: early,
        late: late, withWording: true,
        in: database)
      while let row = try begun.next() {
        after.append(ProductRow(row))
        wordings.append(row[14])
      }
      var indices = Dictionary(uniqueKeysWithValues: zip(after.lazy.map(\.id), after.indices))
      let words = try database.cachedStatement(
        sql: "SELECT \(ProductRow.texts.joined(separator: ", ")) FROM wording WHERE n = ?")
      var found: [(before: Product?, after: Product?)] = []
      let ended = try MarketSnapshotStore.rows(
        [MarketSnapshotStore.endedInRange], market: market, early: early, late: late, withWording: false, in: database)
      while let row = try ended.next() {
        let index = indices.removeValue(forKey: row[0])
        let wording: Int64 = row[10]
        let before: ProductRow
        if let index, wordings[index] == wording {
          // Most changes leave the texts as they are, and texts are long.
          before = ProductRow(row, wording: after[index].wording)
        } else {
          before = ProductRow(
            row, wording: try Row.fetchOne(words, arguments: [wording]).map { ProductRow.TextColumns($0) } ?? .init())
        }
        if let index, before == after[index] { continue }
        found.append((before.product, index.map { after[$0].product }))
      }
      for index in indices.values { found.append((nil, after[index].product)) }
      let ids = found.map { ($0.after ?? $0.before)?.id ?? 0 }
      // Products are large, so their indices are sorted instead.
      return ids.indices.sorted { ids[$0] < ids[$1] }.map { found[$0] }
    }
  }

  /// Returns the states of a product since a time (in seconds since 1970, UTC), oldest first; a state is `nil` if the
  /// product didn't exist.
  ///
  /// The first is the state at that time, unless the product didn't exist then.
  ///
  /// - Throws: `StoreError`.
  package func history(
    of id: Product.ID, at identity: SnapshotMarket, since: Int64
  ) throws(StoreError) -> [(taken: Int64, product: Product?)] {
    try file.read { database in
      guard let market = try MarketSnapshotStore.number(of: identity, database) else { return [] }
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT \(ProductRow.columns), p.first, p.last, f.taken AS began, l.taken AS ended FROM product p JOIN wording w ON w.n = p.wording
            JOIN version f ON f.n = p.first LEFT JOIN version l ON l.n = p.last
            WHERE p.market = ? AND p.id = ? ORDER BY p.first
          """, arguments: [market, id])
      var found: [(taken: Int64, product: Product?)] = []
      for (index, row) in rows.enumerated() {
        let ended: Int64? = row["ended"]
        if let ended, ended <= since { continue }
        found.append((max(row["began"], since), ProductRow(row).product))
        let next: Int? = index + 1 < rows.count ? rows[index + 1]["first"] : nil
        let last: Int? = row["last"]
        if let ended, next != last { found.append((ended, nil)) }
      }
      return found
    }
  }

  /// Returns the states of a product with the numbers of the versions in which it had them, in their order.
  ///
  /// In versions of none of them the product didn't exist.
  ///
  /// - Throws: `StoreError`.
  package func states(
    of id: Product.ID, at identity: SnapshotMarket
  ) throws(StoreError) -> [(versions: Range<Int>, product: Product)] {
    try file.read { database in
      guard let market = try MarketSnapshotStore.number(of: identity, database) else { return [] }
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT \(ProductRow.columns), p.first, p.last FROM product p JOIN wording w ON w.n = p.wording
            WHERE p.market = ? AND p.id = ? ORDER BY p.first
          """, arguments: [market, id])
      return rows.map { row in
        let first: Int = row["first"]
        let end: Int? = row["last"]
        return (first..<max(first, end ?? .max), ProductRow(row).product)
      }
    }
  }

  /// Rows that held in the earlier version and in the later one no more; a row that holds in both is no change.
  private static let endedInRange = "last > ?2 AND last <= ?3 AND first <= ?2"
  /// The SQL condition for rows valid in the later version and not in the earlier one.
  private static let startedInRange = "last IS NULL AND first > ?2 AND first <= ?3"
  private static let begunAndEnded = "last > ?3 AND first > ?2 AND first <= ?3"

  private static func rows(
    _ conditions: [String], market: Int64, early: Int, late: Int, withWording: Bool, in database: Database
  ) throws -> RowCursor {
    let keys = conditions.map {
      "SELECT id, first FROM product WHERE market = ?1 AND \($0)"
    }
    let columns = withWording ? ProductRow.columns : ProductRow.figureColumns
    return try Row.fetchCursor(
      database,
      sql: """
        SELECT \(columns), p.wording FROM (\(keys.joined(separator: " UNION ALL "))) k
          JOIN product p ON p.market = ?1 AND p.id = k.id AND p.first = k.first
          \(withWording ? "JOIN wording w ON w.n = p.wording" : "")
        """, arguments: [market, early, late])
  }

  private static let oneThen = "id = ?3 AND first <= ?2 AND (last IS NULL OR last > ?2)"

  private static func selection(_ condition: String) -> String {
    "SELECT \(ProductRow.columns) FROM product p JOIN wording w ON w.n = wording WHERE market = ?1 AND \(condition) ORDER BY id DESC"
  }

  private func rows(
    of identity: SnapshotMarket, _ condition: String, _ arguments: [Int]
  ) throws(StoreError) -> [Product] {
    try file.read { database in
      guard let market = try MarketSnapshotStore.number(of: identity, database) else { return [] }
      let all = StatementArguments([market]) + StatementArguments(arguments)
      let rows = try Row.fetchCursor(database, sql: MarketSnapshotStore.selection(condition), arguments: all)
      var found: [Product] = []
      while let row = try rows.next() { found.append(ProductRow(row).product) }
      return found
    }
  }
}
