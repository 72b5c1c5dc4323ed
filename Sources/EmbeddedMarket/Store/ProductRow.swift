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
  static let columns = """
    p.*, v.id AS v_id, v.name AS v_name, v.identifier AS v_identifier, v.secret AS v_secret, v.created AS v_created
    """
  static let source = "products p JOIN vendors v ON v.id = p.vendor"

  init(_ row: Row, pictures: [PictureRow]) throws {
    guard let price = Exact(row["price"]), let discount = Exact(row["discount"]) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a price of product \(row["id"] as Int64) is no number")
    }
    id = row["id"]
    vendor = VendorRow(
      id: row["v_id"], name: row["v_name"], identifier: row["v_identifier"], secret: row["v_secret"],
      created: Stamp(microseconds: row["v_created"]))
    name = row["name"]
    description = row["description"]
    self.price = price
    self.discount = discount
    currency = row["currency"]
    stock = row["stock"]
    created = Stamp(microseconds: row["created"])
    issued = Stamp(microseconds: row["issued"])
    cover = row["cover"]
    password = row["password"]
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
