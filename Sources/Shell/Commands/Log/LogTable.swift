import Catalog
import Foundation
import Journal
import Presentation

/// Entries of the log as rows, in the columns of language.md section 5.
enum LogTable {
  static func of(_ entries: [Entry], isSingle: Bool = false) -> Table {
    Table(
      [
        .init("n", Wording("n", ko: "번호"), isNumber: true), .init("time", Wording("time", ko: "때")),
        .init("profile", Wording("profile", ko: "프로필")), .init("action", Wording("action", ko: "한 일")),
        .init("product", Wording("product", ko: "상품"), isNumber: true),
        .init("batch", Wording("batch", ko: "묶음"), isNumber: true), .init("before", Wording("before", ko: "앞")),
        .init("after", Wording("after", ko: "뒤")), .init("outcome", Wording("outcome", ko: "결과")),
        .init("detail", Wording("detail", ko: "내용")), .init("note", Wording("note", ko: "메모")),
      ], rows: entries.map(row), isSingle: isSingle)
  }

  private static func row(_ entry: Entry) -> [Table.Cell] {
    [
      .number(entry.n), .text(entry.time.description), .text(entry.profile), .text(entry.action.rawValue),
      entry.product.map { .number($0) } ?? .none, entry.batch.map { .number($0) } ?? .none,
      entry.before.map { .fields($0) } ?? .none, entry.after.map { .fields($0) } ?? .none,
      .text(entry.outcome.rawValue), entry.detail.map { .text($0) } ?? .none, entry.note.map { .text($0) } ?? .none,
    ]
  }
}
