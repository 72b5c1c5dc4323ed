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

  /// Inserts the product and its pictures, with the next id unless one is given; returns the product's id.
  func insert(id: Int64? = nil, in database: Database) throws -> Int64 {
    try database.cachedStatement(
      sql: """
        INSERT INTO products(
          id, vendor, name, fold, description, price, discount, currency, stock, created, issued, password)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(
      arguments: [
        id, vendor, name, SearchText.searchKey(name), description, price.description, discount.description, currency,
        stock,
        created.microseconds, issued.microseconds, password,
      ])
    let product = database.lastInsertedRowID
    for picture in pictures { try picture.insert(product: product, vendor: vendor, issued: created, in: database) }
    return product
  }
}
