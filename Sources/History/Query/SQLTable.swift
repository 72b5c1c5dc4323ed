import Catalog

/// The tables that a query can use, with their columns, for the command `sql`, its help and its completion.
package enum SQLTable: String, Hashable, Sendable, CaseIterable {
  /// The products of the newest version of the market.
  case products
  /// The states of every product, with the time each was first seen and the time it ended.
  case history
  /// The full-text index of names and descriptions: `text match '텀블러'`.
  case texts
  case calls
  case log
  /// The last list of the session.
  ///
  /// Its columns are those of that list; these are the columns of a list of products.
  case last

  package var columns: [String] {
    switch self {
    case .products, .last:
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
      [
        "n", "time", "profile", "action", "product", "batch", "before", "after", "outcome", "detail", "note", "actor",
        "name",
      ]
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

  /// Returns the SQL of the view on the archives for one market.
  ///
  /// `CROSS JOIN` fixes SQLite's join order: the few matches of the full-text index come first, not all products.
  ///
  /// - Parameters:
  ///   - market: The number of the market.
  ///   - hasLaterChanges: Whether the tables of `LaterProducts` exist.
  func createViewSQL(market: Int64, hasLaterChanges: Bool = false) -> String {
    switch self {
    case .products:
      """
      CREATE TEMP VIEW products AS SELECT p.id, \(textColumn("name")), \(textColumn("description")), \(SQLTable.priceColumns),
        p.currency, p.stock, p.vendor, p.vendor_id, p.created, p.modified, \(textColumn("thumbnail"))
        FROM versions.product p WHERE p.market = \(market) AND p.last IS NULL\(hasLaterChanges ? LaterProducts.union(market) : "")
      """
    case .history:
      """
      CREATE TEMP VIEW history AS SELECT p.id, \(textColumn("name")), \(SQLTable.priceColumns), p.currency, p.stock, p.vendor,
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
    case .log, .last: "CREATE TEMP TABLE \(rawValue)(\(columns.joined(separator: ", ")))"
    }
  }

  /// Returns a subquery instead of a join, so that SQLite reads the text only if the query uses the column, even with
  /// grouping.
  private func textColumn(_ column: String) -> String {
    "(SELECT w.\(column) FROM versions.wording w WHERE w.n = p.wording) AS \(column)"
  }

  private func time(of version: String) -> String {
    "(SELECT datetime(v.taken, 'unixepoch') FROM versions.version v WHERE v.n = p.\(version))"
  }

  /// The prices, stored as exact text, converted to numbers: integral ones become integers.
  private static let priceColumns =
    "CAST(p.price AS NUMERIC) AS price, CAST(p.discount AS NUMERIC) AS discount, CAST(p.sale AS NUMERIC) AS sale"
}

/// The result of a query: named columns and rows of values.
package struct SQLResult: Hashable, Sendable {
  package var columns: [String]
  package var rows: [[SQLValue]]

  package init(columns: [String], rows: [[SQLValue]]) {
    self.columns = columns
    self.rows = rows
  }
}

/// A value of one of SQLite's five storage classes.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  /// A blob, of which only the size is returned: no offered table contains pictures.
  case blob(Int)
}

/// The reason why a query has no result.
package enum SQLError: Error, Hashable, Sendable {
  /// An error message from SQLite.
  case invalidSQL(String)
  /// The statement does something other than reading the offered tables.
  case forbidden
  /// The text contains no statement or more than one.
  case notASingleQuery
  /// The query was stopped after this number of seconds.
  case timedOut(Int)
  case tooMuchMemory
  case tooManyRows(Int)
  /// Common table expressions are expanded into too many copies.
  case tooManyCTECopies
  case archive(StoreError)
}

/// The rows of the table `last`, a list that was shown.
package struct LastTable: Hashable, Sendable {
  package struct Column: Hashable, Sendable {
    package var name: String
    /// A Boolean value that indicates that texts of digits are stored as numbers.
    package var isNumber: Bool

    package init(_ name: String, isNumber: Bool) {
      self.name = name
      self.isNumber = isNumber
    }
  }

  package var columns: [Column]
  package var rows: [[SQLValue]]

  /// Creates a table.
  ///
  /// Names that are used twice are numbered.
  package init(columns: [Column], rows: [[SQLValue]]) {
    var used: [String: Int] = [:]
    self.columns = columns.map { column in
      used[column.name.lowercased(), default: 0] += 1
      let count = used[column.name.lowercased()] ?? 1
      return Column(count == 1 ? column.name : "\(column.name)_\(count)", isNumber: column.isNumber)
    }
    self.rows = rows
  }

  var createTableSQL: String {
    let declarations = columns.map { column in
      "\"" + column.name.replacing("\"", with: "\"\"") + "\" " + (column.isNumber ? "NUMERIC" : "TEXT")
    }
    return "CREATE TEMP TABLE last(\(declarations.joined(separator: ", ")))"
  }
}

/// The products that were changed or deleted after the newest version, which the table `products` contains as they are
/// now.
package struct LaterProducts: Sendable {
  fileprivate static let columns = SQLTable.products.columns

  package var changed: [Product]
  var deleted: [Product.ID]

  package init(changed: [Product], deleted: [Product.ID]) {
    self.changed = changed
    self.deleted = deleted
  }

  package var isEmpty: Bool { changed.isEmpty && deleted.isEmpty }

  static let createTablesSQL = """
    CREATE TEMP TABLE later(\(columns.joined(separator: ", ")));
    CREATE TEMP TABLE later_id(id INTEGER PRIMARY KEY)
    """

  /// The rest of the view `products`. A product that was created after the version has its vendor's name from another one.
  fileprivate static func union(_ market: Int64) -> String {
    let name = """
      coalesce(p.vendor, (SELECT v.vendor FROM versions.product v WHERE v.market = \(market) AND v.last IS NULL
        AND v.vendor_id = p.vendor_id LIMIT 1)) AS vendor
      """
    let values = columns.map { column in
      switch column {
      case "price", "discount", "sale": "CAST(p.\(column) AS NUMERIC) AS \(column)"
      case "vendor": name
      default: "p." + column
      }
    }
    return """
       AND p.id NOT IN (SELECT id FROM temp.later_id)
        UNION ALL SELECT \(values.joined(separator: ", ")) FROM temp.later p
      """
  }

  /// The rows of the table `later`.
  var rows: [[SQLValue]] {
    changed.map { product in
      LaterProducts.columns.map { column in
        switch column {
        case "id": .integer(Int64(product.id))
        case "stock": product.stock.map { .integer(Int64($0)) } ?? .null
        case "vendor_id": product.vendorID.map { .integer(Int64($0)) } ?? .null
        case "name": product.name.map { .text($0) } ?? .null
        case "description": product.description.map { .text($0) } ?? .null
        case "price": product.price.map { .text($0.description) } ?? .null
        case "discount": product.discount.map { .text($0.description) } ?? .null
        case "sale": product.sale.map { .text($0.description) } ?? .null
        case "currency": product.currency.map { .text($0.code) } ?? .null
        case "vendor": product.vendor.map { .text($0) } ?? .null
        case "created": product.created.map { .text($0.description) } ?? .null
        case "modified": product.modified.map { .text($0.description) } ?? .null
        case "thumbnail": product.thumbnailURL.map { .text($0) } ?? .null
        default: .null
        }
      }
    }
  }

  /// The rows of the table `later_id`.
  var ids: [[SQLValue]] { (changed.map(\.id) + deleted).map { [.integer(Int64($0))] } }
}
