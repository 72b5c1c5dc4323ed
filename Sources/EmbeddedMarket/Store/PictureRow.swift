import Foundation
import GRDB

/// A picture of a product.
///
/// Its bytes are stored separately, or are drawn from the motif and palette.
struct PictureRow: Hashable, Sendable, FetchableRecord {
  var id: Int64
  var product: Int64
  var vendor: Int64
  /// The 32 hexadecimal digits that name the original in paths.
  var origin: String
  var thumb: String
  /// The extension including the period, such as `.jpg`; "" if the file had none.
  var fileExtension: String
  /// The motif, or `nil` for an uploaded picture.
  var motif: String?
  var palette: UInt64
  var issued: MarketTime

  /// The columns in the order in which `init` reads them.
  static let columns = "id, product, vendor, origin, thumb, extension, motif, palette, issued"

  init(row: Row) { self.init(row, from: 0) }

  /// Reads the columns starting at an index.
  init(_ row: Row, from column: Int) {
    id = row[column]
    product = row[column + 1]
    vendor = row[column + 2]
    origin = row[column + 3]
    thumb = row[column + 4]
    fileExtension = row[column + 5]
    motif = row[column + 6]
    palette = UInt64(bitPattern: row[column + 7] as Int64? ?? 0)
    issued = MarketTime(microseconds: row[column + 8])
  }

  static func of(product: Int64, in database: Database) throws -> [PictureRow] {
    let sql = "SELECT \(columns) FROM pictures WHERE product = ? ORDER BY id"
    return try fetchAll(database.cachedStatement(sql: sql), arguments: [product])
  }

  /// Returns the pictures of several products with one query.
  static func of(products: [Int64], in database: Database) throws -> [Int64: [PictureRow]] {
    guard !products.isEmpty else { return [:] }
    let marks = databaseQuestionMarks(count: products.count)
    let sql = "SELECT \(columns) FROM pictures WHERE product IN (\(marks)) ORDER BY id"
    let rows = try fetchAll(database.cachedStatement(sql: sql), arguments: StatementArguments(products))
    return Dictionary(grouping: rows, by: \.product)
  }

  /// Returns a picture by either of its names.
  static func find(key: String, in database: Database) throws -> PictureRow? {
    let sql = "SELECT \(columns) FROM pictures WHERE origin = ?1 OR thumb = ?1"
    return try fetchOne(database.cachedStatement(sql: sql), arguments: [key])
  }

  func bytes(_ size: PictureSize, in database: Database) throws -> Data? {
    let sql = "SELECT bytes FROM picture_bytes WHERE picture = ? AND kind = ?"
    return try Data.fetchOne(database.cachedStatement(sql: sql), arguments: [id, size.rawValue])
  }

  /// Stores a drawn picture.
  ///
  /// If two servers draw it at the same time, they draw the same bytes.
  func store(_ bytes: Data, as size: PictureSize, in database: Database) throws {
    try database.execute(
      sql: """
        INSERT OR IGNORE INTO picture_bytes(picture, kind, bytes)
        SELECT id, ?, ? FROM pictures WHERE id = ?
        """, arguments: [size.rawValue, bytes, id])
  }
}
