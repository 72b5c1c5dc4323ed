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
