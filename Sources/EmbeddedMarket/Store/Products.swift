import GRDB

/// A product as the store knows it, with its vendor and, where they were asked for, its pictures.
struct ProductRow: Hashable, Sendable {
  var id: Int64
  var vendor: VendorRow
  var name: String
  var description: String
  var price: ExactNumber
  /// The amount taken off the price.
  var discount: ExactNumber
  var currency: String
  var stock: Int64
  var created: MarketTime
  var issued: MarketTime
  /// The picture that stands for the product; the first one when nil.
  var cover: Int64?
  /// Only the editions of 2021 have one.
  var password: String?
  var pictures: [PictureRow]

  var bargain: ExactNumber { price - discount }

  var coverPicture: PictureRow? { pictures.first { $0.id == cover } ?? pictures.first }
}

extension ProductRow {
  /// In the order in which `init` reads them: by their places, several times as fast as by their names.
  static let columns = """
    p.id, p.name, p.description, p.price, p.discount, p.currency, p.stock, p.created, p.issued, p.cover, p.password,
    v.id, v.name, v.identifier, v.secret, v.created
    """
  static let source = "products p JOIN vendors v ON v.id = p.vendor"

  init(_ row: Row, pictures: [PictureRow]) throws {
    guard let price = ExactNumber(row[3]), let discount = ExactNumber(row[4]) else {
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
    issued = MarketTime(microseconds: row[8])
    cover = row[9]
    password = row[10]
    vendor = VendorRow(
      id: row[11], name: row[12], identifier: row[13], secret: row[14], created: MarketTime(microseconds: row[15]))
    self.pictures = pictures
  }

  static func find(_ id: Int64, in database: Database) throws -> ProductRow? {
    let sql = "SELECT \(columns) FROM \(source) WHERE p.id = ?"
    guard let row = try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [id]) else { return nil }
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
        name, SearchText.text(name), description, price.description, discount.description, currency, stock,
        issued.microseconds, cover, id,
      ])
  }
}

/// Some products in a row and how many there are in all.
struct ProductPage: Sendable {
  enum Order: String, Sendable {
    case newestFirst = "DESC"
    case oldestFirst = "ASC"
  }

  var products: [ProductRow]
  var total: Int64

  /// `search` is compared with names of products and vendors, without case; empty finds everything.
  static func read(
    offset: Int64, count: Int64, search: String, order: Order = .newestFirst, in database: Database
  ) throws -> ProductPage {
    let fold = SearchText.text(search)
    let condition = fold.isEmpty ? "" : "WHERE instr(p.fold, :fold) > 0 OR instr(v.fold, :fold) > 0"
    let needle: StatementArguments = fold.isEmpty ? [:] : ["fold": fold]
    let counting = try database.cachedStatement(sql: "SELECT count(*) FROM \(ProductRow.source) \(condition)")
    let total = try Int64.fetchOne(counting, arguments: needle)
    let reading = try database.cachedStatement(
      sql: """
        SELECT \(ProductRow.columns) FROM \(ProductRow.source) \(condition)
        ORDER BY p.id \(order.rawValue) LIMIT :count OFFSET :offset
        """)
    let rows = try Row.fetchAll(reading, arguments: needle + ["count": count, "offset": offset])
    let pictures = try PictureRow.of(products: rows.map { $0[0] }, in: database)
    let products = try rows.map { row in try ProductRow(row, pictures: pictures[row[0]] ?? []) }
    return ProductPage(products: products, total: total ?? 0)
  }
}

/// A product that has no id yet.
struct NewProduct: Sendable {
  var vendor: Int64
  var name: String
  var description: String
  var price: ExactNumber
  var discount: ExactNumber
  var currency: String
  var stock: Int64
  var created: MarketTime
  var issued: MarketTime
  var password: String?
  var pictures: [NewPicture]

  /// Writes product and pictures; the id of the product.
  func insert(in database: Database) throws -> Int64 {
    try database.execute(
      sql: """
        INSERT INTO products(vendor, name, fold, description, price, discount, currency, stock, created, issued, password)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        vendor, name, SearchText.text(name), description, price.description, discount.description, currency, stock,
        created.microseconds, issued.microseconds, password,
      ])
    let product = database.lastInsertedRowID
    for picture in pictures { try picture.insert(product: product, vendor: vendor, issued: created, in: database) }
    return product
  }
}
