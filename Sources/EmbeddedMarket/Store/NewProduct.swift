import Foundation
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

/// A picture before it is inserted.
struct NewPicture: Sendable {
  enum Content: Sendable {
    case sent(Data, thumbnail: Data)
    /// Drawn on first request.
    case drawn(motif: String, palette: UInt64)
  }

  var origin: String
  var thumb: String
  var fileExtension: String
  var content: Content

  func insert(product: Int64, vendor: Int64, issued: MarketTime, in database: Database) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO pictures(product, vendor, origin, thumb, extension, motif, palette, issued)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(
      arguments: [product, vendor, origin, thumb, fileExtension, motif, palette, issued.microseconds])
    guard case .sent(let bytes, let thumbnail) = content else { return }
    let sql = "INSERT INTO picture_bytes(picture, kind, bytes) VALUES (?, ?, ?)"
    let picture = database.lastInsertedRowID
    let insertion = try database.cachedStatement(sql: sql)
    try insertion.execute(arguments: [picture, PictureSize.original.rawValue, bytes])
    // A file that is its own thumbnail is stored once.
    if thumbnail != bytes { try insertion.execute(arguments: [picture, PictureSize.thumb.rawValue, thumbnail]) }
  }

  private var motif: String? {
    switch content {
    case .sent: nil
    case .drawn(let motif, _): motif
    }
  }

  private var palette: Int64? {
    switch content {
    case .sent: nil
    case .drawn(_, let palette): Int64(bitPattern: palette)
    }
  }
}

/// The size of a picture: original or thumbnail.
enum PictureSize: String, Hashable, Sendable {
  case original = "origin"
  case thumb
}
