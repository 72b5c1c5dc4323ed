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
    out.member("created_at", stamp: row.created, time: "T00:00:00")
    out.member("issued_at", stamp: row.modifiedAt, time: "T00:00:00")
  }

  private func image(_ picture: PictureRow, base: String, to out: inout WireWriter) {
    out.object { out in
      out.member("id", picture.id)
      out.member("url") { address(of: picture, .original, base: base, to: &$0) }
      out.member("thumbnail_url") { address(of: picture, .thumb, base: base, to: &$0) }
      out.member("issued_at", stamp: picture.issued, time: "T00:00:00")
    }
  }
}
