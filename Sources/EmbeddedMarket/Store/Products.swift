import GRDB
import Synchronization

/// A product row with its vendor and, if requested, its pictures.
struct ProductRow: Hashable, Sendable {
  var id: Int64
  var vendor: VendorRow
  var name: String
  var description: String
  var price: DecimalPrice
  /// The amount subtracted from the price.
  var discount: DecimalPrice
  var currency: String
  var stock: Int64
  var created: MarketTime
  var modifiedAt: MarketTime
  /// The id of the cover picture, or `nil` for the first picture.
  var cover: Int64?
  /// The password; only in the editions of 2021.
  var password: String?
  var pictures: [PictureRow]

  var salePrice: DecimalPrice { price - discount }

  var coverPicture: PictureRow? { pictures.first { $0.id == cover } ?? pictures.first }
}

extension ProductRow {
  /// The columns in the order in which `init` reads them: access by index is several times as fast as by name.
  static let columns = """
    p.id, p.name, p.description, p.price, p.discount, p.currency, p.stock, p.created, p.issued, p.cover, p.password,
    v.id, v.name, v.identifier, v.secret, v.created
    """
  /// The number of columns.
  static let columnCount = 16
  static let fromClause = "products p JOIN vendors v ON v.id = p.vendor"

  private static let selectByID = "SELECT \(columns) FROM \(fromClause) WHERE p.id = ?"

  init(_ row: Row, pictures: [PictureRow]) throws {
    try self.init(row, vendor: ProductRow.vendor(row), pictures: pictures)
  }

  /// Reads only the vendor's columns.
  static func vendor(_ row: Row) -> VendorRow {
    VendorRow(
      id: row[11], name: row[12], identifier: row[13], secret: row[14], created: MarketTime(microseconds: row[15]))
  }

  init(_ row: Row, vendor: VendorRow, pictures: [PictureRow]) throws {
    guard let price = DecimalPrice(row[3]), let discount = DecimalPrice(row[4]) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a price of product \(row[0] as Int64) is no number")
    }
    id = row[0]
    name = row[1]
    description = row[2]
    self.price = price
    self.discount = discount
    currency = row[5]
    stock = row[6]
    created = MarketTime(microseconds: row[7])
    modifiedAt = MarketTime(microseconds: row[8])
    cover = row[9]
    password = row[10]
    self.vendor = vendor
    self.pictures = pictures
  }

  static func find(_ id: Int64, in database: Database) throws -> ProductRow? {
    guard let row = try Row.fetchOne(database.cachedStatement(sql: selectByID), arguments: [id]) else { return nil }
    return try ProductRow(row, pictures: PictureRow.of(product: id, in: database))
  }

  func update(in database: Database) throws {
    try database.cachedStatement(
      sql: """
        UPDATE products SET name = ?, fold = ?, description = ?, price = ?, discount = ?, currency = ?, stock = ?,
          issued = ?, cover = ? WHERE id = ?
        """
    ).execute(
      arguments: [
        name, SearchText.searchKey(name), description, price.description, discount.description, currency, stock,
        modifiedAt.microseconds, cover, id,
      ])
  }
}

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
  private static let newest = reading("products p", "p.id <=", "DESC")
  private static let newestFound = reading(ProductRow.fromClause, "\(condition) AND p.id <=", "DESC")
  private static let oldest = reading("products p", "p.id >=", "ASC")
  private static let oldestFound = reading(ProductRow.fromClause, "\(condition) AND p.id >=", "ASC")

  /// Returns the query for a page: each product with its vendor and cover in one row.
  ///
  /// The rows before the page are only counted, not joined.
  private static func reading(_ found: String, _ from: String, _ order: String) -> String {
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

/// A product before it is inserted.
struct NewProduct: Sendable {
  var vendor: Int64
  var name: String
  var description: String
  var price: DecimalPrice
  var discount: DecimalPrice
  var currency: String
  var stock: Int64
  var created: MarketTime
  var issued: MarketTime
  var password: String?
  var pictures: [NewPicture]

  /// Inserts the product and its pictures; returns the product's id.
  func insert(in database: Database) throws -> Int64 {
    try database.cachedStatement(
      sql: """
        INSERT INTO products(vendor, name, fold, description, price, discount, currency, stock, created, issued, password)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(
      arguments: [
        vendor, name, SearchText.searchKey(name), description, price.description, discount.description, currency, stock,
        created.microseconds, issued.microseconds, password,
      ])
    let product = database.lastInsertedRowID
    for picture in pictures { try picture.insert(product: product, vendor: vendor, issued: created, in: database) }
    return product
  }
}
