import Catalog
import Journal
import Presentation
import Text

/// One row a target of a batch: `id`, `outcome`, `detail` as the log has it.
enum BatchTable {
  static func of(_ plan: Plan, _ outcomes: [Outcome]) -> Table {
    var rest = zip(plan.changes, outcomes).makeIterator()
    let rows = (0..<outcomes.count + plan.unchanged.count).compactMap { place -> [Table.Cell]? in
      if let product = plan.unchanged[place] { return row(product.id, .unchanged(product)) }
      return rest.next().map { change, outcome in row(change.product?.id ?? outcome.product?.id, outcome) }
    }
    return Table(
      [
        .init("id", Wording("id", ko: "번호"), isNumber: true), .init("outcome", Wording("outcome", ko: "결과")),
        .init("detail", Wording("detail", ko: "내용")),
      ], rows: rows)
  }

  private static func row(_ id: Product.ID?, _ outcome: Outcome) -> [Table.Cell] {
    [
      id.map { .number($0) } ?? .none, .text(word(outcome)), outcome.detail.map { .wording($0) } ?? .none,
    ]
  }

  /// What was sent and proven not applied is, for a batch, as good as not sent: `resume` makes it.
  private static func word(_ outcome: Outcome) -> String {
    if case .notApplied = outcome { return "not-sent" }
    return outcome.word
  }
}
