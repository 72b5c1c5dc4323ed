import GRDB

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
