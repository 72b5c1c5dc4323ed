import Catalog
import Text

/// The summary of a batch: the number of changes of each kind, and for prices and stock the sums and the smallest and
/// largest change.
struct PlanSummary {
  private let plan: Plan

  init(_ plan: Plan) { self.plan = plan }

  func lines(_ options: RenderOptions) -> [StyledText] { [counts(options.language)] + figures(options) }

  private func counts(_ language: MessageLanguage) -> StyledText {
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
        LocalizedText("create \(.strong(grouped(made))) \(noun(made))", ko: "새 상품 \(.strong(grouped(made)))개")[language]
      )
    }
    if edited > 0 {
      parts.append(
        LocalizedText("update \(.strong(grouped(edited))) \(noun(edited))", ko: "수정 \(.strong(grouped(edited)))개")[
          language])
    }
    if deleted > 0 {
      parts.append(
        LocalizedText("delete \(.strong(grouped(deleted))) \(noun(deleted))", ko: "삭제 \(.strong(grouped(deleted)))개")[
          language])
    }
    let total = LocalizedText(
      " (\(grouped(plan.changes.count)) changes in total)", ko: " 모두 \(grouped(plan.changes.count))개")[language]
    return parts.dropFirst().reduce(parts.first ?? "") { $0 + ", " + $1 } + (parts.count > 1 ? total : "")
  }

  private func noun(_ count: Int) -> StyledText { count == 1 ? "product" : "products" }

  /// Returns one line per field and currency in the order of their occurrence.
  private func figures(_ options: RenderOptions) -> [StyledText] {
    var order: [FieldTotals.Key] = []
    var figures: [FieldTotals.Key: FieldTotals] = [:]
    func count(_ field: ProductField, _ before: Amount?, _ after: Amount?, _ product: Product, _ currency: Currency?) {
      guard let before, let after, before != after else { return }
      let key = FieldTotals.Key(field: field, currency: field == .stock ? nil : currency)
      if figures[key] == nil { order.append(key) }
      figures[key, default: FieldTotals()].add(before, after, product.id)
    }
    for change in plan.changes {
      guard case .edit(let product, let from, let to) = change else { continue }
      // A change of the currency would add up amounts in different currencies.
      if to.currency == nil {
        count(.price, from.price, to.price, product, product.currency)
        count(.discount, from.discount, to.discount, product, product.currency)
        count(.sale, change.sale?.before, change.sale?.after, product, product.currency)
      }
      count(.stock, from.stock.map { Amount($0) }, to.stock.map { Amount($0) }, product, nil)
    }
    // Without a discount the sale prices equal the prices.
    for key in order where key.field == .sale {
      if figures[key] == figures[FieldTotals.Key(field: .price, currency: key.currency)] { figures[key] = nil }
    }
    return order.flatMap { key in figures[key].map { $0.lines(key, of: plan.changes.count, options) } ?? [] }
  }

  private func grouped(_ number: Int) -> String { NumberFormatting.grouped(number) }
}
