import Foundation

/// Editions A1 and A2: whole prices, `discounted_price` is the sale price and absent without a discount, Unix seconds (protocol, A.2).
struct CampSpelling: Sendable {
  static let pageSize: Int64 = 20

  func page(_ number: Int64, _ rows: [ProductRow], base: String) -> JSON {
    .object([
      .init("page", .number(number)),
      .init("items", .list(rows.map { .object(head($0) + [thumbnails($0, base), registration($0)]) })),
    ])
  }

  func item(_ row: ProductRow, base: String) -> JSON {
    .object(
      head(row) + [
        .init("descriptions", .text(row.description)),
        .init("images", .list(row.pictures.map { .text(base + path(of: $0, .origin)) })),
        thumbnails(row, base), registration(row),
      ])
  }

  func path(of picture: PictureRow, _ size: PictureSize) -> String {
    switch size {
    case .origin: "/images/\(dashed(picture.origin)).png"
    case .thumb: "/thumbnails/\(dashed(picture.origin)).png"
    }
  }

  private func head(_ row: ProductRow) -> [JSON.Member] {
    let members: [JSON.Member] = [
      .init("id", .number(row.id)),
      .init("title", .text(row.name)),
      .init("price", .number(row.price.whole)),
      .init("currency", .text(row.currency)),
      .init("stock", .number(row.stock)),
    ]
    return row.discount == .zero ? members : members + [.init("discounted_price", .number(row.bargain.whole))]
  }

  private func thumbnails(_ row: ProductRow, _ base: String) -> JSON.Member {
    .init("thumbnails", .list(row.pictures.map { .text(base + path(of: $0, .thumb)) }))
  }

  private func registration(_ row: ProductRow) -> JSON.Member {
    .init("registration_date", .number(row.created.unixSeconds))
  }

  /// The upper-case UUID of 32 hex digits.
  private func dashed(_ key: String) -> String {
    var text = ""
    for (index, digit) in key.uppercased().enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return text
  }
}
