import Foundation
import GRDB

/// A sorted and optionally filtered list of products, of which pages are read.
struct ProductList: Sendable {
  enum Order: Sendable {
    case newestFirst
    case oldestFirst
  }

  /// The pictures to read with each product.
  enum PictureLoading: Sendable {
    case cover
    case all
  }

  /// The folded text to find in the names of products and vendors; empty for all.
  let searchKey: String
  let order: Order
  let pictures: PictureLoading

  init(search: String = "", order: Order = .newestFirst, pictures: PictureLoading = .cover) {
    searchKey = SearchText.searchKey(search)
    self.order = order
    self.pictures = pictures
  }

  func total(in database: Database) throws -> Int64 {
    guard !searchKey.isEmpty else {
      return try Int64.fetchOne(database.cachedStatement(sql: "SELECT count(*) FROM products")) ?? 0
    }
    return try Int64.fetchOne(database.cachedStatement(sql: ProductList.counting), arguments: [searchKey]) ?? 0
  }

  /// Returns the number of products up to one with an id in the order of the list, whether it exists or not.
  func position(after id: Int64, in database: Database) throws -> Int64 {
    let isBefore =
      switch order {
      case .newestFirst: "p.id >= ?2"
      case .oldestFirst: "p.id <= ?2"
      }
    let sql =
      searchKey.isEmpty
      ? "SELECT count(*) FROM products p WHERE ?1 = '' AND \(isBefore)" : ProductList.counting + " AND " + isBefore
    return try Int64.fetchOne(database.cachedStatement(sql: sql), arguments: [searchKey, id]) ?? 0
  }

  func rows(offset: Int64, count: Int64, in database: Database) throws -> [ProductRow] {
    let statement = try database.cachedStatement(sql: sql)
    let cursor = try Row.fetchCursor(statement, arguments: [searchKey, offset, count])
    var rows: [ProductRow] = []
    // A page has many products of few vendors.
    var vendors: [Int64: VendorRow] = [:]
    while let row = try cursor.next() {
      let vendor = vendors[row[11]] ?? ProductRow.vendor(row)
      vendors[vendor.id] = vendor
      let hasCover = !row.hasNull(atIndex: ProductRow.columnCount)
      let covers = hasCover ? [PictureRow(row, from: ProductRow.columnCount)] : []
      rows.append(try ProductRow(row, vendor: vendor, pictures: covers))
    }
    guard case .all = pictures else { return rows }
    let pictures = try PictureRow.of(products: rows.map(\.id), in: database)
    for index in rows.indices { rows[index].pictures = pictures[rows[index].id] ?? [] }
    return rows
  }

  private var sql: String {
    switch order {
    case .newestFirst: searchKey.isEmpty ? ProductList.newest : ProductList.newestFound
    case .oldestFirst: searchKey.isEmpty ? ProductList.oldest : ProductList.oldestFound
    }
  }

  private static let condition = "(instr(p.fold, ?1) > 0 OR instr(v.fold, ?1) > 0)"
  private static let counting = "SELECT count(*) FROM \(ProductRow.fromClause) WHERE \(condition)"
  private static let newest = reading("products p", from: "p.id <=", order: "DESC")
  private static let newestFound = reading(ProductRow.fromClause, from: "\(condition) AND p.id <=", order: "DESC")
  private static let oldest = reading("products p", from: "p.id >=", order: "ASC")
  private static let oldestFound = reading(ProductRow.fromClause, from: "\(condition) AND p.id >=", order: "ASC")

  /// Returns the query for a page: each product with its vendor and cover in one row.
  ///
  /// The rows before the page are only counted, not joined.
  private static func reading(_ found: String, from: String, order: String) -> String {
    let condition = found == ProductRow.fromClause ? "WHERE \(condition)" : ""
    return """
      SELECT \(ProductRow.columns), \(cover)
      FROM \(ProductRow.fromClause) LEFT JOIN pictures c ON c.id = ifnull(
        (SELECT id FROM pictures WHERE id = p.cover AND product = p.id),
        (SELECT min(id) FROM pictures WHERE product = p.id))
      WHERE \(from) (SELECT p.id FROM \(found) \(condition) ORDER BY p.id \(order) LIMIT 1 OFFSET ?2)
      ORDER BY p.id \(order) LIMIT ?3
      """
  }

  private static let cover = PictureRow.columns.split(separator: ", ").map { "c." + $0 }.joined(separator: ", ")
}

/// The normal form of searched texts: canonical composition, so that composed and decomposed Hangul match, in lower
/// case.
enum SearchText {
  static func searchKey(_ text: String) -> String { text.precomposedStringWithCanonicalMapping.lowercased() }
}
