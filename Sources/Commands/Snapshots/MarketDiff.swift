import Catalog
import CommandLanguage
import History
import Presentation
import Text

/// The differences of products between two versions, one row for each field, in a seller's words.
struct MarketDiff {
  private(set) var rows: [[Table.Cell]] = []
  private var counts: [String: Int] = [:]

  private static let compared: [ProductField] = [.price, .discount, .stock, .name, .description, .currency, .vendor]

  init(_ changes: [(before: Product?, after: Product?)]) {
    for (before, after) in changes {
      switch (before, after) {
      case (nil, let new?): add(new, "new", nil, .none, new.price.map { .amount($0) } ?? .none)
      case (let old?, nil): add(old, "gone", nil, old.price.map { .amount($0) } ?? .none, .none)
      case (let old?, let new?): compare(old, new)
      case (nil, nil): break
      }
    }
  }

  private mutating func compare(_ old: Product, _ new: Product) {
    for field in MarketDiff.compared {
      let (before, after) = (MarketDiff.cell(field, old), MarketDiff.cell(field, new))
      guard before != after, before != .none, after != .none else { continue }
      var change = field.rawValue
      if field == .stock, new.stock == 0 { change = "sold-out" }
      if field == .stock, old.stock == 0 { change = "back" }
      add(new, change, field, before, after)
    }
  }

  private mutating func add(
    _ product: Product, _ change: String, _ field: ProductField?, _ before: Table.Cell, _ after: Table.Cell
  ) {
    counts[change, default: 0] += 1
    rows.append([
      .number(product.id), product.name.map { .text($0) } ?? .none, .text(change),
      field.map { .text($0.rawValue) } ?? .none, before, after,
    ])
  }

  private static func cell(_ field: ProductField, _ product: Product) -> Table.Cell {
    switch field {
    case .price: product.price.map { .amount($0) } ?? .none
    case .discount: product.discount.map { .amount($0) } ?? .none
    case .stock: product.stock.map { .number($0) } ?? .none
    case .id, .name, .description, .sale, .currency, .vendor, .vendorID, .created, .modified, .thumbnail, .images:
      product.text(of: field).map { .text($0) } ?? .none
    }
  }

  /// Returns the summary, such as `From … to …: 3 new, 1 gone, 12 prices, 4 sold out`.
  func summary(from early: MarketSnapshot, to late: MarketSnapshot) -> Message {
    let (then, now) = (MarketDiff.label(early), MarketDiff.label(late))
    func count(_ change: String) -> Int { counts[change] ?? 0 }
    guard !rows.isEmpty else {
      return .note("No changes from \(then) to \(now).", ko: "\(then)부터 \(now)까지 바뀐 것이 없습니다.")
    }
    return .note(
      "From \(then) to \(now): \(count("new")) new, \(count("gone")) removed, \(count("price")) price changes, \(count("sold-out")) sold out.",
      ko:
        "\(then)부터 \(now)까지: 새 상품 \(count("new"))개, 없어진 상품 \(count("gone"))개, 가격 변경 \(count("price"))건, 품절 \(count("sold-out"))개."
    )
  }

  private static func label(_ version: MarketSnapshot) -> String {
    let time = Timestamp(seconds: version.capturedAt, isUTC: true).description
    return version.labels.first.map { "\($0) (\(time))" } ?? time
  }

  var table: Table {
    Table(
      [
        .init("id", LocalizedText("id", ko: "번호"), isNumber: true), .init("name", LocalizedText("name", ko: "이름")),
        .init("change", LocalizedText("change", ko: "변경")), .init("field", LocalizedText("field", ko: "필드")),
        .init("before", LocalizedText("before", ko: "이전")), .init("after", LocalizedText("after", ko: "이후")),
      ], rows: rows)
  }
}
