import Catalog
import Journal
import Presentation
import Text

/// One row a target of a batch: `id`, `outcome`, `detail` as the log has it.
package enum BatchTable {
  /// - Parameter returned: of creates that bring a deleted product back, the id it had, by the place of the change; the row
  ///   maps it to the new one.
  package static func of(_ plan: Plan, _ outcomes: [Outcome], returned: [Int: Product.ID] = [:]) -> Table {
    var rest = zip(plan.changes, outcomes).enumerated().makeIterator()
    let rows = (0..<outcomes.count + plan.unchanged.count).compactMap { place -> [Table.Cell]? in
      if let product = plan.unchanged[place] { return row(product.id, .unchanged(product)) }
      return rest.next().map { index, end in
        let (change, outcome) = end
        guard let old = returned[index] else { return row(change.product?.id ?? outcome.product?.id, outcome) }
        let now = outcome.product.map { Wording("product \($0.id) now", ko: "이제 \($0.id)번 상품") }
        return row(old, outcome, now)
      }
    }
    return Table(
      [
        .init("id", Wording("id", ko: "번호"), isNumber: true), .init("outcome", Wording("outcome", ko: "결과")),
        .init("detail", Wording("detail", ko: "내용")),
      ], rows: rows)
  }

  private static func row(_ id: Product.ID?, _ outcome: Outcome, _ now: Wording? = nil) -> [Table.Cell] {
    [
      id.map { .number($0) } ?? .none, .text(word(outcome)), (outcome.detail ?? now).map { .wording($0) } ?? .none,
    ]
  }

  /// What was sent and proven not applied is, for a batch, as good as not sent: `resume` makes it.
  private static func word(_ outcome: Outcome) -> String {
    if case .notApplied = outcome { return "not-sent" }
    return outcome.word
  }
}
