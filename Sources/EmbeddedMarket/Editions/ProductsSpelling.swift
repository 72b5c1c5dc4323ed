/// Where the editions `training` and `open` differ, over the same calls.
protocol ProductsSpelling: Sendable {
  /// `descriptions` or `description` in requests.
  var descriptionKey: String { get }
  var hasSearch: Bool { get }
  func page(_ numbers: PageNumbers, _ rows: [ProductRow], base: String) -> WireJSON
  func product(_ row: ProductRow, base: String) -> WireJSON
  /// The answer to a create.
  func created(_ row: ProductRow, base: String) -> WireJSON
  func path(of picture: PictureRow, _ size: PictureSize) -> String
  func issued(edited at: MarketTime, before: MarketTime) -> MarketTime
}

/// The numbers of one page (see Protocol): `limit` is the end index, not the size of a page.
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

/// Edition `open`: camelCase paging, snake_case products but for `vendorName`, days with `T00:00:00` (see Protocol).
struct OpenSpelling: ProductsSpelling {
  var descriptionKey: String { "description" }
  var hasSearch: Bool { true }

  /// The day of the last edit.
  func issued(edited at: MarketTime, before: MarketTime) -> MarketTime { at }

  func page(_ numbers: PageNumbers, _ rows: [ProductRow], base: String) -> WireJSON {
    .object([
      .init("pageNo", .number(numbers.page)),
      .init("itemsPerPage", .number(numbers.size)),
      .init("totalCount", .number(numbers.total)),
      .init("offset", .number(numbers.offset)),
      .init("limit", .number(numbers.limit)),
      .init("lastPage", .number(numbers.last)),
      .init("hasNext", .bool(numbers.hasNext)),
      .init("hasPrev", .bool(numbers.hasPrevious)),
      .init("pages", .list(rows.map { row($0, base: base) })),
    ])
  }

  func product(_ row: ProductRow, base: String) -> WireJSON {
    .object(
      [
        .init("id", .number(row.id)),
        .init("vendor_id", .number(row.vendor.id)),
        .init("name", .text(row.name)),
      ] + common(row, base: base) + [
        .init("images", .list(row.pictures.map { image($0, base: base) })),
        .init(
          "vendors",
          .object([.init("id", .number(row.vendor.id)), .init("name", .text(row.vendor.name))])),
      ])
  }

  func created(_ row: ProductRow, base: String) -> WireJSON { product(row, base: base) }

  func path(of picture: PictureRow, _ size: PictureSize) -> String {
    let folder = "/media.yagom-academy.kr/training-resources/\(picture.vendor)/\(picture.issued.compactDay)/"
    switch size {
    case .origin: return folder + picture.origin + "_origin" + picture.fileExtension
    case .thumb: return folder + picture.thumb + "_thumb" + picture.fileExtension
    }
  }

  private func row(_ row: ProductRow, base: String) -> WireJSON {
    .object(
      [
        .init("id", .number(row.id)),
        .init("vendor_id", .number(row.vendor.id)),
        .init("vendorName", .text(row.vendor.name)),
        .init("name", .text(row.name)),
      ] + common(row, base: base))
  }

  private func common(_ row: ProductRow, base: String) -> [WireJSON.Member] {
    [
      .init("description", .text(row.description)),
      .init("thumbnail", .text(row.coverPicture.map { base + path(of: $0, .thumb) } ?? "")),
      .init("currency", .text(row.currency)),
      .init("price", .number(JavaDouble.text(row.price))),
      .init("bargain_price", .number(JavaDouble.text(row.bargain))),
      .init("discounted_price", .number(JavaDouble.text(row.discount))),
      .init("stock", .number(row.stock)),
      .init("created_at", .text(row.created.day + "T00:00:00")),
      .init("issued_at", .text(row.issued.day + "T00:00:00")),
    ]
  }

  private func image(_ picture: PictureRow, base: String) -> WireJSON {
    .object([
      .init("id", .number(picture.id)),
      .init("url", .text(base + path(of: picture, .origin))),
      .init("thumbnail_url", .text(base + path(of: picture, .thumb))),
      .init("issued_at", .text(picture.issued.day + "T00:00:00")),
    ])
  }
}

/// Edition `training`: snake_case throughout, two digits of fraction in its days (see Protocol).
struct TrainingSpelling: ProductsSpelling {
  var descriptionKey: String { "descriptions" }
  var hasSearch: Bool { false }

  /// Stays the day of creation, edits or not.
  func issued(edited at: MarketTime, before: MarketTime) -> MarketTime { before }

  func page(_ numbers: PageNumbers, _ rows: [ProductRow], base: String) -> WireJSON {
    .object([
      .init("page_no", .number(numbers.page)),
      .init("items_per_page", .number(numbers.size)),
      .init("total_count", .number(numbers.total)),
      .init("offset", .number(numbers.offset)),
      .init("limit", .number(numbers.limit)),
      .init("pages", .list(rows.map { .object(head($0, base: base) + tail($0, at: day)) })),
      .init("last_page", .number(numbers.last)),
      .init("has_next", .bool(numbers.hasNext)),
      .init("has_prev", .bool(numbers.hasPrevious)),
    ])
  }

  func product(_ row: ProductRow, base: String) -> WireJSON { product(row, base: base, at: day) }

  /// The one answer with a time of day: of the product and its pictures, not of the vendor.
  func created(_ row: ProductRow, base: String) -> WireJSON { product(row, base: base, at: second) }

  private func product(_ row: ProductRow, base: String, at time: (MarketTime) -> WireJSON) -> WireJSON {
    .object(
      head(row, base: base) + [.init("description", .text(row.description))] + tail(row, at: time) + [
        .init("images", .list(row.pictures.map { image($0, base: base, at: time) })),
        .init("vendors", vendor(row.vendor)),
      ])
  }

  func path(of picture: PictureRow, _ size: PictureSize) -> String {
    "/media.yagom-academy.kr/training-resources/\(picture.vendor)/\(size.rawValue)/\(picture.origin)\(picture.fileExtension)"
  }

  private func head(_ row: ProductRow, base: String) -> [WireJSON.Member] {
    [
      .init("id", .number(row.id)),
      .init("vendor_id", .number(row.vendor.id)),
      .init("name", .text(row.name)),
      .init("thumbnail", .text(row.coverPicture.map { base + path(of: $0, .thumb) } ?? "")),
      .init("currency", .text(row.currency)),
      .init("price", .number(JavaDouble.text(row.price))),
    ]
  }

  private func tail(_ row: ProductRow, at time: (MarketTime) -> WireJSON) -> [WireJSON.Member] {
    [
      .init("bargain_price", .number(JavaDouble.text(row.bargain))),
      .init("discounted_price", .number(JavaDouble.text(row.discount))),
      .init("stock", .number(row.stock)),
      .init("created_at", time(row.created)),
      .init("issued_at", time(row.issued)),
    ]
  }

  private func image(_ picture: PictureRow, base: String, at time: (MarketTime) -> WireJSON) -> WireJSON {
    .object([
      .init("id", .number(picture.id)),
      .init("url", .text(base + path(of: picture, .origin))),
      .init("thumbnail_url", .text(base + path(of: picture, .thumb))),
      .init("succeed", .bool(true)),
      .init("issued_at", time(picture.issued)),
    ])
  }

  private func vendor(_ vendor: VendorRow) -> WireJSON {
    .object([
      .init("name", .text(vendor.name)),
      .init("id", .number(vendor.id)),
      .init("created_at", day(vendor.created)),
      .init("issued_at", day(vendor.created)),
    ])
  }

  private func day(_ stamp: MarketTime) -> WireJSON { .text(stamp.day + "T00:00:00.00") }

  /// The seconds come again behind the point: `2022-01-19T08:25:27.27`.
  private func second(_ stamp: MarketTime) -> WireJSON {
    .text("\(stamp.day)T\(stamp.clock).\(stamp.clock.suffix(2))")
  }
}
