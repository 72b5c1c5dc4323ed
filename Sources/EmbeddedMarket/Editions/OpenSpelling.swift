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
