import Catalog
import Foundation
import Language
import Presentation
import Text

/// Changes so extreme that they are probably a slip of the finger (language.md section 6).
enum Outliers {
  static func find(in plan: Plan) -> [Outlier] {
    var found: [Outlier] = []
    for (index, change) in plan.changes.enumerated() {
      found += one(change).map { Outlier(wording: $0, change: index) }
    }
    let emptied = plan.changes.count { change in
      if case .edit(_, _, let to) = change { to.stock == 0 } else { false }
    }
    if emptied > 10 {
      found.append(
        Outlier(wording: Wording("stock goes to 0 on \(emptied) products", ko: "상품 \(emptied)개의 재고가 0이 됩니다")))
    }
    if plan.isArithmetic, let mixed = mixedCurrencies(plan) { found.insert(Outlier(wording: mixed), at: 0) }
    return found
  }

  private static func one(_ change: Change) -> [Wording] {
    switch change {
    case .create(let draft):
      return price(draft.price, of: Wording(same: "\(.foreign(draft.name))"))
        + decimals(draft.price, draft.currency) + decimals(draft.discount, draft.currency)
    case .edit(let product, let from, let to):
      let name = Wording("product \(product.id)", ko: "\(product.id)번 상품")
      var found: [Wording] = []
      if let new = to.price {
        found += price(new, of: name)
        if let old = from.price { found += move(from: old, to: new, of: name) }
      }
      let currency = to.currency ?? product.currency
      if let currency, to.currency != nil || to.price != nil || to.discount != nil {
        for amount in [to.price ?? product.price, to.discount ?? product.discount].compactMap({ $0 }) {
          found += decimals(amount, currency)
        }
      }
      return found
    case .delete: return []
    }
  }

  /// The same step in won and in dollars is hardly ever meant.
  private static func mixedCurrencies(_ plan: Plan) -> Wording? {
    var counts: [String: Int] = [:]
    for case .edit(let product, _, let to) in plan.changes where to.price != nil || to.discount != nil {
      if let currency = to.currency ?? product.currency { counts[currency.code, default: 0] += 1 }
    }
    guard counts.count > 1 else { return nil }
    let list = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
    return Wording(
      "several currencies together: \(.foreign(list.joined(separator: ", ")))",
      ko: "여러 통화가 섞임: \(.foreign(list.joined(separator: ", ")))")
  }

  private static func price(_ new: Amount, of name: Wording) -> [Wording] {
    guard new == .zero else { return [] }
    return [Wording("\(name[.english]): price 0", ko: "\(name[.korean]): 가격 0")]
  }

  /// More than half off, or more than double.
  private static func move(from old: Amount, to new: Amount, of name: Wording) -> [Wording] {
    guard old.value > 0, new != .zero, new.value < old.value / 2 || new.value > old.value * 2 else { return [] }
    return [
      Wording(
        "\(name[.english]): price \(.before(old)) -> \(.after(new))",
        ko: "\(name[.korean]): 가격 \(.before(old)) -> \(.after(new))")
    ]
  }

  private static func decimals(_ amount: Amount, _ currency: Currency) -> [Wording] {
    guard currency.decimals == 0, amount.hasFraction else { return [] }
    return [Wording("decimals in \(currency): \(amount)", ko: "\(currency)에 소수점: \(amount)")]
  }
}
