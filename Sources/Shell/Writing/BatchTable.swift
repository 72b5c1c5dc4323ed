import Catalog
import Journal
import Presentation

/// One row a target of a batch: `id`, `outcome`, `detail` (language.md section 5).
enum BatchTable {
  static func of(_ plan: Plan, _ outcomes: [Outcome]) -> Table {
    let rows = zip(plan.changes, outcomes).map { change, outcome -> [Table.Cell] in
      [
        (change.product?.id ?? outcome.product?.id).map { .number($0) } ?? .none, .text(word(outcome)),
        outcome.detail.map { .wording($0) } ?? .none,
      ]
    }
    return Table(
      [
        .init("id", Wording("id", ko: "번호"), isNumber: true), .init("outcome", Wording("outcome", ko: "결과")),
        .init("detail", Wording("detail", ko: "내용")),
      ], rows: rows)
  }

  /// What was sent and proven not applied is, for a batch, as good as not sent: `resume` makes it.
  private static func word(_ outcome: Outcome) -> String {
    if case .notApplied = outcome { return "not-sent" }
    return outcome.word
  }
}
