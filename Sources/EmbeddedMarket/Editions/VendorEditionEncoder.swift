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
  fileprivate mutating func member(_ key: StaticString, _ price: DecimalPrice) {
    member(key) { JavaDouble.write(price, to: &$0) }
  }

  /// Writes a date followed by a fixed time, such as `T00:00:00`.
  fileprivate mutating func member(_ key: StaticString, _ stamp: MarketTime, _ time: StaticString) {
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

/// The wire format of `open`: camelCase paging, snake_case products except `vendorName`, dates with `T00:00:00` (see
/// Protocol).
struct OpenEncoder: VendorEditionEncoder {
  var descriptionKey: String { "description" }
  var hasSearch: Bool { true }

  /// Returns the time of the last edit.
  func issued(edited at: MarketTime, before: MarketTime) -> MarketTime { at }

  func page(_ numbers: PageNumbers, _ rows: [ProductRow], base: String, to out: inout WireWriter) {
    out.object { out in
      out.member("pageNo", numbers.page)
      out.member("itemsPerPage", numbers.size)
      out.member("totalCount", numbers.total)
      out.member("offset", numbers.offset)
      out.member("limit", numbers.limit)
      out.member("lastPage", numbers.last)
      out.member("hasNext", numbers.hasNext)
      out.member("hasPrev", numbers.hasPrevious)
      out.member("pages") { $0.list(rows) { self.row($0, base: base, to: &$1) } }
    }
  }

  func product(_ row: ProductRow, base: String, to out: inout WireWriter) {
    out.object { out in
      out.member("id", row.id)
      out.member("vendor_id", row.vendor.id)
      out.member("name", row.name)
      common(row, base: base, to: &out)
      out.member("images") { $0.list(row.pictures) { image($0, base: base, to: &$1) } }
      out.member("vendors") { out in
        out.object { out in
          out.member("id", row.vendor.id)
          out.member("name", row.vendor.name)
        }
      }
    }
  }

  func created(_ row: ProductRow, base: String, to out: inout WireWriter) { product(row, base: base, to: &out) }

  func path(of picture: PictureRow, _ size: PictureSize, to out: inout WireWriter) {
    out.plain("/media.yagom-academy.kr/training-resources/")
    out.integer(picture.vendor)
    out.plain("/")
    picture.issued.writeDay(isCompact: true, to: &out)
    out.plain("/")
    switch size {
    case .original:
      out.inside(picture.origin)
      out.plain("_origin")
    case .thumb:
      out.inside(picture.thumb)
      out.plain("_thumb")
    }
    out.inside(picture.fileExtension)
  }

  private func row(_ row: ProductRow, base: String, to out: inout WireWriter) {
    out.object { out in
      out.member("id", row.id)
      out.member("vendor_id", row.vendor.id)
      out.member("vendorName", row.vendor.name)
      out.member("name", row.name)
      common(row, base: base, to: &out)
    }
  }

  private func common(_ row: ProductRow, base: String, to out: inout WireWriter) {
    out.member("description", row.description)
    thumbnail(row, base: base, to: &out)
    out.member("currency", row.currency)
    out.member("price", row.price)
    out.member("bargain_price", row.salePrice)
    out.member("discounted_price", row.discount)
    out.member("stock", row.stock)
    out.member("created_at", row.created, "T00:00:00")
    out.member("issued_at", row.modifiedAt, "T00:00:00")
  }

  private func image(_ picture: PictureRow, base: String, to out: inout WireWriter) {
    out.object { out in
      out.member("id", picture.id)
      out.member("url") { address(of: picture, .original, base: base, to: &$0) }
      out.member("thumbnail_url") { address(of: picture, .thumb, base: base, to: &$0) }
      out.member("issued_at", picture.issued, "T00:00:00")
    }
  }
}

/// The wire format of `training`: snake_case throughout, dates with two digits of fraction (see Protocol).
struct TrainingEncoder: VendorEditionEncoder {
  var descriptionKey: String { "descriptions" }
  var hasSearch: Bool { false }

  /// Returns the time of creation, which edits do not change.
  func issued(edited at: MarketTime, before: MarketTime) -> MarketTime { before }

  func page(_ numbers: PageNumbers, _ rows: [ProductRow], base: String, to out: inout WireWriter) {
    out.object { out in
      out.member("page_no", numbers.page)
      out.member("items_per_page", numbers.size)
      out.member("total_count", numbers.total)
      out.member("offset", numbers.offset)
      out.member("limit", numbers.limit)
      out.member("pages") { out in
        out.list(rows) { row, out in
          out.object { out in
            head(row, base: base, to: &out)
            trailingMembers(row, at: dateText, to: &out)
          }
        }
      }
      out.member("last_page", numbers.last)
      out.member("has_next", numbers.hasNext)
      out.member("has_prev", numbers.hasPrevious)
    }
  }

  func product(_ row: ProductRow, base: String, to out: inout WireWriter) {
    product(row, base: base, at: dateText, to: &out)
  }

  /// Writes the response to a create, the only one with a time of day: for the product and its pictures, not for the
  /// vendor.
  func created(_ row: ProductRow, base: String, to out: inout WireWriter) {
    product(row, base: base, at: timestampText, to: &out)
  }

  /// Writes a timestamp in the format of a response.
  private typealias Clock = (MarketTime, inout WireWriter) -> Void

  private func product(_ row: ProductRow, base: String, at time: Clock, to out: inout WireWriter) {
    out.object { out in
      head(row, base: base, to: &out)
      out.member("description", row.description)
      trailingMembers(row, at: time, to: &out)
      out.member("images") { $0.list(row.pictures) { image($0, base: base, at: time, to: &$1) } }
      out.member("vendors") { vendor(row.vendor, to: &$0) }
    }
  }

  func path(of picture: PictureRow, _ size: PictureSize, to out: inout WireWriter) {
    out.plain("/media.yagom-academy.kr/training-resources/")
    out.integer(picture.vendor)
    switch size {
    case .original: out.plain("/origin/")
    case .thumb: out.plain("/thumb/")
    }
    out.inside(picture.origin)
    out.inside(picture.fileExtension)
  }

  private func head(_ row: ProductRow, base: String, to out: inout WireWriter) {
    out.member("id", row.id)
    out.member("vendor_id", row.vendor.id)
    out.member("name", row.name)
    thumbnail(row, base: base, to: &out)
    out.member("currency", row.currency)
    out.member("price", row.price)
  }

  private func trailingMembers(_ row: ProductRow, at time: Clock, to out: inout WireWriter) {
    out.member("bargain_price", row.salePrice)
    out.member("discounted_price", row.discount)
    out.member("stock", row.stock)
    out.member("created_at") { time(row.created, &$0) }
    out.member("issued_at") { time(row.modifiedAt, &$0) }
  }

  private func image(_ picture: PictureRow, base: String, at time: Clock, to out: inout WireWriter) {
    out.object { out in
      out.member("id", picture.id)
      out.member("url") { address(of: picture, .original, base: base, to: &$0) }
      out.member("thumbnail_url") { address(of: picture, .thumb, base: base, to: &$0) }
      out.member("succeed", true)
      out.member("issued_at") { time(picture.issued, &$0) }
    }
  }

  private func vendor(_ vendor: VendorRow, to out: inout WireWriter) {
    out.object { out in
      out.member("name", vendor.name)
      out.member("id", vendor.id)
      out.member("created_at") { dateText(vendor.created, to: &$0) }
      out.member("issued_at") { dateText(vendor.created, to: &$0) }
    }
  }

  private func dateText(_ stamp: MarketTime, to out: inout WireWriter) {
    out.quoted { out in
      stamp.writeDay(to: &out)
      out.plain("T00:00:00.00")
    }
  }

  /// Writes a timestamp with the seconds repeated as the fraction: `2022-01-19T08:25:27.27`.
  private func timestampText(_ stamp: MarketTime, to out: inout WireWriter) {
    out.text("\(stamp.dateText)T\(stamp.timeText).\(stamp.timeText.suffix(2))")
  }
}
