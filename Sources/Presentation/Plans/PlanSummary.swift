import Catalog
import Foundation
import Text

/// A batch in a few lines: how many of each kind, and for prices and stock the sums and the smallest and largest change.
struct PlanSummary {
  private let plan: Plan

  init(_ plan: Plan) { self.plan = plan }

  func lines(_ tongue: Tongue) -> [StyledText] { [counts(tongue)] + figures(tongue) }

  private func counts(_ tongue: Tongue) -> StyledText {
    var (made, edited, deleted) = (0, 0, 0)
    for change in plan.changes {
      switch change {
      case .create: made += 1
      case .edit: edited += 1
      case .delete: deleted += 1
      }
    }
    var parts: [StyledText] = []
    if made > 0 {
      parts.append(
        Wording("new \(.strong(grouped(made))) \(noun(made))", ko: "새 상품 \(.strong(grouped(made)))개")[tongue])
    }
    if edited > 0 {
      parts.append(
        Wording("patch \(.strong(grouped(edited))) \(noun(edited))", ko: "변경 \(.strong(grouped(edited)))개")[tongue])
    }
    if deleted > 0 {
      parts.append(
        Wording("delete \(.strong(grouped(deleted))) \(noun(deleted))", ko: "삭제 \(.strong(grouped(deleted)))개")[tongue])
    }
    let total = Wording(
      " of \(grouped(plan.changes.count)) changes together", ko: " 모두 \(grouped(plan.changes.count))개")[tongue]
    return parts.dropFirst().reduce(parts.first ?? "") { $0 + ", " + $1 } + (parts.count > 1 ? total : "")
  }

  private func noun(_ count: Int) -> StyledText { count == 1 ? "product" : "products" }

  /// One line a field and currency, in the order they come.
  private func figures(_ tongue: Tongue) -> [StyledText] {
    var order: [Figure.Key] = []
    var figures: [Figure.Key: Figure] = [:]
    func count(_ field: Field, _ before: Amount?, _ after: Amount?, _ product: Product, _ currency: Currency?) {
      guard let before, let after, before != after else { return }
      let key = Figure.Key(field: field, currency: field == .stock ? nil : currency)
      if figures[key] == nil { order.append(key) }
      figures[key, default: Figure()].add(before, after, product.id)
    }
    for change in plan.changes {
      guard case .edit(let product, let from, let to) = change else { continue }
      // A change of currency makes sums of apples and pears.
      if to.currency == nil {
        count(.price, from.price, to.price, product, product.currency)
        count(.discount, from.discount, to.discount, product, product.currency)
        count(.sale, change.sale?.before, change.sale?.after, product, product.currency)
      }
      count(.stock, from.stock.map { Amount($0) }, to.stock.map { Amount($0) }, product, nil)
    }
    return order.compactMap { key in figures[key].map { $0.line(key, tongue) } }
  }

  private func grouped(_ number: Int) -> String { HumanNumber.grouped(number) }
}
