import GRDB

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

  /// The bytes that the texts take, with the name as it is searched.
  var textBytes: Int { name.utf8.count * 2 + description.utf8.count }

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

  /// Returns the ids of the first hundred products of a vendor.
  static func ids(of vendor: Int64, in database: Database) throws -> [Int64] {
    try Int64.fetchAll(
      database, sql: "SELECT id FROM products WHERE vendor = ? ORDER BY id LIMIT 100", arguments: [vendor])
  }

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
