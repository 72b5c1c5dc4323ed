import GRDB

/// A product that has no id yet.
struct NewProduct: Sendable {
  var vendor: Int64
  var name: String
  var description: String
  var price: Exact
  var discount: Exact
  var currency: String
  var stock: Int64
  var created: Stamp
  var issued: Stamp
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
        vendor, name, Fold.text(name), description, price.description, discount.description, currency, stock,
        created.microseconds, issued.microseconds, password,
      ])
    let product = database.lastInsertedRowID
    for picture in pictures { try picture.insert(product: product, vendor: vendor, issued: created, in: database) }
    return product
  }
}
