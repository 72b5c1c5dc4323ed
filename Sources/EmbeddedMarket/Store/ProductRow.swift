import GRDB

/// A product as the store knows it, with its vendor and, where they were asked for, its pictures.
struct ProductRow: Hashable, Sendable {
  var id: Int64
  var vendor: VendorRow
  var name: String
  var description: String
  var price: Exact
  /// The amount taken off the price.
  var discount: Exact
  var currency: String
  var stock: Int64
  var created: Stamp
  var issued: Stamp
  /// The picture that stands for the product; the first one when nil.
  var cover: Int64?
  /// Only the editions of 2021 have one.
  var password: String?
  var pictures: [PictureRow]

  var bargain: Exact { price - discount }

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
    guard let price = Exact(row[3]), let discount = Exact(row[4]) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a price of product \(row[0] as Int64) is no number")
    }
    id = row[0]
    name = row[1]
    description = row[2]
    self.price = price
    self.discount = discount
    currency = row[5]
    stock = row[6]
    created = Stamp(microseconds: row[7])
    issued = Stamp(microseconds: row[8])
    cover = row[9]
    password = row[10]
    vendor = VendorRow(
      id: row[11], name: row[12], identifier: row[13], secret: row[14], created: Stamp(microseconds: row[15]))
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
        name, Fold.text(name), description, price.description, discount.description, currency, stock,
        issued.microseconds, cover, id,
      ])
  }
}
