/// The tables that a query may ask, by name, with the columns of each: what `sql` reads, tells and completes.
package enum SQLTable: String, Hashable, Sendable, CaseIterable {
  /// What the newest version of the market holds.
  case products
  /// Every state of every product, with when it was seen first, and until when.
  case history
  /// Names and descriptions by their words: `text match '텀블러'`.
  case texts
  case calls
  case log

  package var columns: [String] {
    switch self {
    case .products:
      [
        "id", "name", "description", "price", "discount", "sale", "currency", "stock", "vendor", "vendor_id", "created",
        "modified", "thumbnail",
      ]
    case .history:
      [
        "id", "name", "price", "discount", "sale", "currency", "stock", "vendor", "vendor_id", "since", "until",
      ]
    case .texts: ["id", "name", "description", "text"]
    case .calls: ["n", "time", "profile", "base", "method", "path", "status", "ms", "size", "type"]
    case .log:
      ["n", "time", "profile", "action", "product", "batch", "before", "after", "outcome", "detail", "note"]
    }
  }

  /// Returns the type of a column's values: `integer`, `decimal`, `time` or `text`.
  package static func type(of column: String) -> String {
    switch column {
    case "id", "stock", "vendor_id", "n", "status", "size", "product", "batch": "integer"
    case "price", "discount", "sale", "ms": "decimal"
    case "created", "modified", "since", "until", "time": "time"
    default: "text"
    }
  }

  /// The view of it on the archives, for one market.
  ///
  /// `CROSS JOIN` is SQLite's way to say which comes first: the few that the index of words finds, not every product.
  func view(market: Int64) -> String {
    switch self {
    case .products:
      """
      CREATE TEMP VIEW products AS SELECT p.id, \(wording("name")), \(wording("description")), \(SQLTable.money),
        p.currency, p.stock, p.vendor, p.vendor_id, p.created, p.modified, \(wording("thumbnail"))
        FROM versions.product p WHERE p.market = \(market) AND p.last IS NULL
      """
    case .history:
      """
      CREATE TEMP VIEW history AS SELECT p.id, \(wording("name")), \(SQLTable.money), p.currency, p.stock, p.vendor,
        p.vendor_id, \(time(of: "first")) AS since, \(time(of: "last")) AS until
        FROM versions.product p WHERE p.market = \(market)
      """
    case .texts:
      """
      CREATE TEMP VIEW texts AS SELECT p.id, words.name, words.description, words.words AS text
        FROM versions.words CROSS JOIN versions.product p ON p.wording = words.rowid
        WHERE p.market = \(market) AND p.last IS NULL
      """
    case .calls:
      """
      CREATE TEMP VIEW calls AS SELECT n, datetime(started / 1000, 'unixepoch') AS time, profile, base, method, path,
        status, round(duration / 1000.0, 1) AS ms, size, type FROM archive.call
      """
    case .log: "CREATE TEMP TABLE log(\(columns.joined(separator: ", ")))"
    }
  }

  /// A subquery and no join: SQLite looks it up only for those who ask for it, also where rows are grouped.
  private func wording(_ column: String) -> String {
    "(SELECT w.\(column) FROM versions.wording w WHERE w.n = p.wording) AS \(column)"
  }

  private func time(of version: String) -> String {
    "(SELECT datetime(v.taken, 'unixepoch') FROM versions.version v WHERE v.n = p.\(version))"
  }

  /// Exact texts as numbers: whole ones are integers.
  private static let money =
    "CAST(p.price AS NUMERIC) AS price, CAST(p.discount AS NUMERIC) AS discount, CAST(p.sale AS NUMERIC) AS sale"
}
