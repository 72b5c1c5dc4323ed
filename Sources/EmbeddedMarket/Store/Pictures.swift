import Foundation
import GRDB

/// A picture of a product; its bytes lie apart, or are still to be drawn from motif and palette.
struct PictureRow: Hashable, Sendable, FetchableRecord {
  var id: Int64
  var product: Int64
  var vendor: Int64
  /// 32 hex digits that name the picture as it was sent, and its thumbnail, in the paths.
  var origin: String
  var thumb: String
  /// With its point, `.jpg`; empty when the file came without one.
  var fileExtension: String
  /// Nil for pictures that were sent.
  var motif: String?
  var palette: UInt64
  var issued: MarketTime

  /// In the order in which `init` reads them.
  static let columns = "id, product, vendor, origin, thumb, extension, motif, palette, issued"

  init(row: Row) { self.init(row, from: 0) }

  /// Reads the columns from a place on.
  init(_ row: Row, from place: Int) {
    id = row[place]
    product = row[place + 1]
    vendor = row[place + 2]
    origin = row[place + 3]
    thumb = row[place + 4]
    fileExtension = row[place + 5]
    motif = row[place + 6]
    palette = UInt64(bitPattern: row[place + 7] as Int64? ?? 0)
    issued = MarketTime(microseconds: row[place + 8])
  }

  static func of(product: Int64, in database: Database) throws -> [PictureRow] {
    let sql = "SELECT \(columns) FROM pictures WHERE product = ? ORDER BY id"
    return try fetchAll(database.cachedStatement(sql: sql), arguments: [product])
  }

  /// The pictures of many products in one read.
  static func of(products: [Int64], in database: Database) throws -> [Int64: [PictureRow]] {
    guard !products.isEmpty else { return [:] }
    let marks = databaseQuestionMarks(count: products.count)
    let sql = "SELECT \(columns) FROM pictures WHERE product IN (\(marks)) ORDER BY id"
    let rows = try fetchAll(database.cachedStatement(sql: sql), arguments: StatementArguments(products))
    return Dictionary(grouping: rows, by: \.product)
  }

  /// Finds a picture by either of its names.
  static func find(key: String, in database: Database) throws -> PictureRow? {
    let sql = "SELECT \(columns) FROM pictures WHERE origin = ?1 OR thumb = ?1"
    return try fetchOne(database.cachedStatement(sql: sql), arguments: [key])
  }

  func bytes(_ size: PictureSize, in database: Database) throws -> Data? {
    let sql = "SELECT bytes FROM picture_bytes WHERE picture = ? AND kind = ?"
    return try Data.fetchOne(database.cachedStatement(sql: sql), arguments: [id, size.rawValue])
  }

  /// Keeps what was drawn; two servers that drew the same picture at once drew the same bytes.
  func keep(_ bytes: Data, as size: PictureSize, in database: Database) throws {
    try database.execute(
      sql: """
        INSERT OR IGNORE INTO picture_bytes(picture, kind, bytes)
        SELECT id, ?, ? FROM pictures WHERE id = ?
        """, arguments: [size.rawValue, bytes, id])
  }
}

/// A picture that has no id yet.
struct NewPicture: Sendable {
  enum Content: Sendable {
    case sent(Data, thumbnail: Data)
    /// Drawn when it is first asked for.
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
    try insertion.execute(arguments: [picture, PictureSize.origin.rawValue, bytes])
    try insertion.execute(arguments: [picture, PictureSize.thumb.rawValue, thumbnail])
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

/// A picture as it was sent, or small.
enum PictureSize: String, Hashable, Sendable {
  case origin
  case thumb
}
