import Foundation

/// The wire format of the two editions of 2021: integer prices, Unix seconds, and `discounted_price` for the sale
/// price, which is absent without a discount (see Protocol).
struct CampEncoder: Sendable {
  static let pageSize: Int64 = 20

  func page(_ number: Int64, _ rows: [ProductRow], base: String) -> WireJSON {
    .object([
      .init("page", .number(number)),
      .init("items", .list(rows.map { .object(head($0) + [thumbnails($0, base), registration($0)]) })),
    ])
  }

  func item(_ row: ProductRow, base: String) -> WireJSON {
    .object(
      head(row) + [
        .init("descriptions", .text(row.description)),
        .init("images", .list(row.pictures.map { .text(base + path(of: $0, .original)) })),
        thumbnails(row, base), registration(row),
      ])
  }

  func path(of picture: PictureRow, _ size: PictureSize) -> String {
    switch size {
    case .original: "/images/\(uuidString(picture.origin)).png"
    case .thumb: "/thumbnails/\(uuidString(picture.origin)).png"
    }
  }

  private func head(_ row: ProductRow) -> [WireJSON.Member] {
    let members: [WireJSON.Member] = [
      .init("id", .number(row.id)),
      .init("title", .text(row.name)),
      .init("price", .number(row.price.whole)),
      .init("currency", .text(row.currency)),
      .init("stock", .number(row.stock)),
    ]
    return row.discount == .zero ? members : members + [.init("discounted_price", .number(row.salePrice.whole))]
  }

  private func thumbnails(_ row: ProductRow, _ base: String) -> WireJSON.Member {
    .init("thumbnails", .list(row.pictures.map { .text(base + path(of: $0, .thumb)) }))
  }

  private func registration(_ row: ProductRow) -> WireJSON.Member {
    .init("registration_date", .number(row.created.unixSeconds))
  }

  /// Returns the UUID in upper case for 32 hexadecimal digits.
  private func uuidString(_ key: String) -> String {
    var text = ""
    for (index, digit) in key.uppercased().enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return text
  }
}
