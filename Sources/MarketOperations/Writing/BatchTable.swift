import Catalog
import Presentation
import Text
import WriteJournal

/// The table of a batch with one row per target: `id`, `outcome` and `detail` for programs; id, name and changes for a
/// user at a terminal.
package enum BatchTable {
  /// Returns both tables, created when they are shown, with the summary.
  ///
  /// `returned` contains the previous ids of restored products, by index of the change.
  package static func report(
    _ plan: Plan, _ outcomes: [Outcome], returned: [Int: Product.ID] = [:], summary: Message?
  ) -> Report {
    let targets = Rows(plan, outcomes)
    let rows = WriteReceipt.Rows(targets.count) { receipt(targets[$0], returned) }
    return .receipt(
      WriteReceipt(rows, isBatch: true, summary: summary) {
        let table = Report.rows(table(targets, returned))
        return summary.map { .group([table, .message($0)]) } ?? table
      })
  }

  /// The targets in the order of the plan, as far as they have an outcome.
  private struct Rows: Sendable {
    enum Slot {
      case unchanged(Product, EarlierWrite?)
      case changed(Int, Change, Outcome)
    }

    private let plan: Plan
    private let outcomes: [Outcome]
    /// The index of the change for each target, or `nil` for a target that was already as wanted.
    private let places: [Int?]

    var count: Int { places.count }

    init(_ plan: Plan, _ outcomes: [Outcome]) {
      self.plan = plan
      self.outcomes = outcomes
      var changes = 0
      places = (0..<outcomes.count + plan.unchanged.count).map { place in
        guard plan.unchanged[place] == nil else { return nil }
        defer { changes += 1 }
        return changes
      }
    }

    subscript(place: Int) -> Slot {
      if let product = plan.unchanged[place] { return .unchanged(product, plan.earlier[place]) }
      let index = places[place] ?? 0
      return .changed(index, plan.changes[index], outcomes[index])
    }
  }

  private static func receipt(_ target: Rows.Slot, _ returned: [Int: Product.ID]) -> WriteReceipt.Row {
    switch target {
    case .unchanged(let product, let earlier):
      return .init(
        id: product.id, name: product.name, change: nil, product: product, outcome: .unchanged,
        detail: earlier.map { EarlierWriteMessages.detail($0) })
    case .changed(let index, let change, let outcome):
      let now = returned[index].flatMap { old in
        outcome.product.map { LocalizedText("now product \($0.id) (was \(old))", ko: "새 번호 \($0.id)(이전 \(old))") }
      }
      return .init(
        id: change.product?.id ?? outcome.product?.id, name: change.name, change: change, product: outcome.product,
        outcome: outcome.kind, detail: outcome.detail ?? now)
    }
  }

  private static func table(_ targets: Rows, _ returned: [Int: Product.ID]) -> Table {
    var words: [OutcomeKind: Table.Cell] = [:]
    func row(_ id: Product.ID?, _ outcome: Outcome, _ now: LocalizedText? = nil) -> [Table.Cell] {
      let word = words[outcome.kind] ?? .localized(outcome.kind.words)
      words[outcome.kind] = word
      return [id.map { .number($0) } ?? .none, word, (outcome.detail ?? now).map { .localized($0) } ?? .none]
    }
    let rows = (0..<targets.count).map { place in
      switch targets[place] {
      case .unchanged(let product, let earlier): return row(product.id, .unchanged(product, earlier: earlier))
      case .changed(let index, let change, let outcome):
        guard let old = returned[index] else { return row(change.product?.id ?? outcome.product?.id, outcome) }
        let now = outcome.product.map { LocalizedText("now product \($0.id)", ko: "이제 \($0.id)번 상품") }
        return row(old, outcome, now)
      }
    }
    return Table(
      [
        .init("id", LocalizedText("id", ko: "번호"), isNumber: true),
        .init("outcome", LocalizedText("outcome", ko: "결과")),
        .init("detail", LocalizedText("detail", ko: "내용")),
      ], rows: rows)
  }
}
