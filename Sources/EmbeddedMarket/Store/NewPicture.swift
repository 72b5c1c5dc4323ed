import Foundation
import GRDB

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

  func insert(product: Int64, vendor: Int64, issued: Stamp, in database: Database) throws {
    try database.execute(
      sql: """
        INSERT INTO pictures(product, vendor, origin, thumb, extension, motif, palette, issued)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [product, vendor, origin, thumb, fileExtension, motif, palette, issued.microseconds])
    guard case .sent(let bytes, let thumbnail) = content else { return }
    let sql = "INSERT INTO picture_bytes(picture, kind, bytes) VALUES (?, ?, ?)"
    let picture = database.lastInsertedRowID
    try database.execute(sql: sql, arguments: [picture, PictureSize.origin.rawValue, bytes])
    try database.execute(sql: sql, arguments: [picture, PictureSize.thumb.rawValue, thumbnail])
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
