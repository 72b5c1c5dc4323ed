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
      .init("pages", .list(rows.map { .object(head($0, base: base) + tail($0)) })),
      .init("last_page", .number(numbers.last)),
      .init("has_next", .bool(numbers.hasNext)),
      .init("has_prev", .bool(numbers.hasPrevious)),
    ])
  }

  func product(_ row: ProductRow, base: String) -> WireJSON {
    .object(
      head(row, base: base) + [.init("description", .text(row.description))] + tail(row) + [
        .init("images", .list(row.pictures.map { image($0, base: base) })),
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

  private func tail(_ row: ProductRow) -> [WireJSON.Member] {
    [
      .init("bargain_price", .number(JavaDouble.text(row.bargain))),
      .init("discounted_price", .number(JavaDouble.text(row.discount))),
      .init("stock", .number(row.stock)),
      .init("created_at", day(row.created)),
      .init("issued_at", day(row.issued)),
    ]
  }

  private func image(_ picture: PictureRow, base: String) -> WireJSON {
    .object([
      .init("id", .number(picture.id)),
      .init("url", .text(base + path(of: picture, .origin))),
      .init("thumbnail_url", .text(base + path(of: picture, .thumb))),
      .init("succeed", .bool(true)),
      .init("issued_at", day(picture.issued)),
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
}
