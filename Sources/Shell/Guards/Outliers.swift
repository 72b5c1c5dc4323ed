import Catalog
import Foundation
import Language
import Presentation

/// Changes so extreme that they are probably a slip of the finger (language.md section 6).
enum Outliers {
  static func find(in plan: Plan) -> [Wording] {
    var found: [Wording] = []
    var emptied = 0
    for change in plan.changes {
      switch change {
      case .create(let draft):
        found += price(draft.price, of: Wording(same: "\(.foreign(draft.name))"))
        found += decimals(draft.price, draft.currency)
        found += decimals(draft.discount, draft.currency)
      case .edit(let product, let from, let to):
        let name = Wording("product \(product.id)", ko: "\(product.id)번 상품")
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
        if to.stock == 0 { emptied += 1 }
      case .delete: break
      }
    }
    if emptied > 10 {
      found.append(Wording("stock goes to 0 on \(emptied) products", ko: "상품 \(emptied)개의 재고가 0이 됩니다"))
    }
    return found
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
