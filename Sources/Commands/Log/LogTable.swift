import Catalog
import Foundation
import Journal
import Presentation
import Text

/// Entries of the log as rows, in the columns that Language lists.
enum LogTable {
  static func of(_ entries: [Entry], isSingle: Bool = false) -> Table {
    Table(
      [
        .init("n", Wording("n", ko: "번호"), isNumber: true), .init("time", Wording("time", ko: "시각")),
        .init("profile", Wording("profile", ko: "프로필")), .init("action", Wording("action", ko: "한 일")),
        .init("product", Wording("product", ko: "상품"), isNumber: true),
        .init("batch", Wording("batch", ko: "묶음"), isNumber: true), .init("before", Wording("before", ko: "이전")),
        .init("after", Wording("after", ko: "이후")), .init("outcome", Wording("outcome", ko: "결과")),
        .init("detail", Wording("detail", ko: "내용")), .init("note", Wording("note", ko: "메모")),
      ], rows: entries.map(row), isSingle: isSingle)
  }

  private static func row(_ entry: Entry) -> [Table.Cell] {
    [
      .number(entry.n), .moment(entry.time), .text(entry.profile), .text(entry.action.rawValue),
      entry.product.map { .number($0) } ?? .none, entry.batch.map { .number($0) } ?? .none,
      entry.before.map { record($0, pictures(entry).before) } ?? .none,
      entry.after.map { record($0, pictures(entry).after) } ?? .none,
      .text(entry.outcome.rawValue), detail(entry), entry.note.map { .text($0) } ?? .none,
    ]
  }

  private static func detail(_ entry: Entry) -> Table.Cell {
    if entry.isAltered {
      return .wording(
        Wording(
          "This record was altered on disk since it was written: it is neither undone nor resumed.",
          ko: "이 기록은 쓰인 뒤에 디스크에서 바뀌어, 되돌리지도 이어 하지도 않습니다."))
    }
    return entry.detail.map { .text($0) } ?? .none
  }

  /// Of a change that brought others: how many there were, and are.
  private static func pictures(_ entry: Entry) -> (before: Int?, after: Int?) {
    guard case .edit(let product, _, let to)? = entry.change, let files = to.pictures else { return (nil, nil) }
    return ((entry.snapshot ?? product).images?.count, files.count)
  }

  private static func record(_ fields: Fields, _ pictures: Int?) -> Table.Cell {
    var entries: [Table.Entry] = []
    if let name = fields.name { entries.append(.init("name", .text(name))) }
    if let description = fields.description { entries.append(.init("description", .text(description))) }
    if let price = fields.price { entries.append(.init("price", .amount(price))) }
    if let discount = fields.discount { entries.append(.init("discount", .amount(discount))) }
    if let currency = fields.currency { entries.append(.init("currency", .text(currency.code))) }
    if let stock = fields.stock { entries.append(.init("stock", .number(stock))) }
    if let thumbnail = fields.thumbnail { entries.append(.init("thumbnail", .number(thumbnail))) }
    if let pictures { entries.append(.init("images", .number(pictures))) }
    return .record(entries)
  }
}
