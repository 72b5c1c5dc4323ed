/// The differences between the wire formats of `training` and `open`.
protocol VendorEditionEncoder: Sendable {
  /// The key in requests: `descriptions` or `description`.
  var descriptionKey: String { get }
  var hasSearch: Bool { get }
  func page(_ numbers: PageNumbers, _ rows: [ProductRow], base: String, to out: inout WireWriter)
  func product(_ row: ProductRow, base: String, to out: inout WireWriter)
  /// Writes the response to a create.
  func created(_ row: ProductRow, base: String, to out: inout WireWriter)
  /// Writes the path of a picture.
  func path(of picture: PictureRow, _ size: PictureSize, to out: inout WireWriter)
  func issued(edited at: MarketTime, before: MarketTime) -> MarketTime
}

extension VendorEditionEncoder {
  func address(of picture: PictureRow, _ size: PictureSize, base: String, to out: inout WireWriter) {
    out.quoted { out in
      out.inside(base)
      path(of: picture, size, to: &out)
    }
  }

  /// Writes the cover picture's URL, or an empty string without a picture.
  func thumbnail(_ row: ProductRow, base: String, to out: inout WireWriter) {
    out.member("thumbnail") { out in
      guard let cover = row.coverPicture else { return out.text("") }
      address(of: cover, .thumb, base: base, to: &out)
    }
  }
}

extension WireWriter {
  mutating func member(_ key: StaticString, _ price: DecimalPrice) {
    member(key) { JavaDouble.write(price, to: &$0) }
  }

  /// Writes a date followed by a fixed time, such as `T00:00:00`.
  mutating func member(_ key: StaticString, stamp: MarketTime, time: StaticString) {
    member(key) { out in
      out.quoted { out in
        stamp.writeDay(to: &out)
        out.plain(time)
      }
    }
  }
}

/// The paging members of a list (see Protocol).
///
/// `limit` is the end index, not the page size.
struct PageNumbers: Hashable, Sendable {
  var page: Int64
  var size: Int64
  var total: Int64

  var offset: Int64 { (page - 1) * size }
  var limit: Int64 { page * size }
  var last: Int64 { (total + size - 1) / size }
  var hasNext: Bool { page < last }
  var hasPrevious: Bool { page > 1 }
}
