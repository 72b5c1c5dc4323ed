import Catalog
import Foundation
import Text

/// What a batch does to one field in one currency.
struct Figure {
  struct Key: Hashable {
    var field: Field
    var currency: Currency?
  }

  private struct Extreme {
    var step: Amount
    var id: Product.ID
  }

  private var count = 0
  private var before = Amount.zero
  private var after = Amount.zero
  private var lowest: Extreme?
  private var highest: Extreme?

  mutating func add(_ old: Amount, _ new: Amount, _ id: Product.ID) {
    count += 1
    before = before + old
    after = after + new
    let step = new - old
    if lowest.map({ step < $0.step }) ?? true { lowest = Extreme(step: step, id: id) }
    if highest.map({ step > $0.step }) ?? true { highest = Extreme(step: step, id: id) }
  }

  /// `price KRW, 12 products: sum 120,000 -> 108,000 (-10 %), from -3,000 (42) to -200 (17)`
  func line(_ key: Key, _ tongue: Tongue) -> StyledText {
    let title = key.field.title[tongue]
    let currency = key.currency.map { " " + $0.code } ?? ""
    let share = HumanNumber.percent(from: before, to: after).map { " (" + $0 + ")" } ?? ""
    let sums: StyledText = "\(.before(grouped(before))) -> \(.after(grouped(after)))\(.dim(share))"
    let extremes = self.extremes(tongue)
    let head = StyledText("  ") + title + "\(.foreign(currency))"
    return head
      + Wording(
        ", \(count) \(count == 1 ? StyledText("product") : "products"): sum \(sums)\(extremes)",
        ko: ", 상품 \(count)개: 합계 \(sums)\(extremes)")[tongue]
  }

  private func extremes(_ tongue: Tongue) -> StyledText {
    guard let lowest, let highest else { return "" }
    if lowest.step == highest.step {
      return Wording(", each \(.after(signed(lowest.step)))", ko: ", 각각 \(.after(signed(lowest.step)))")[tongue]
    }
    return Wording(
      ", from \(.after(signed(lowest.step))) (\(lowest.id)) to \(.after(signed(highest.step))) (\(highest.id))",
      ko: ", \(.after(signed(lowest.step)))(\(lowest.id)번)부터 \(.after(signed(highest.step)))(\(highest.id)번)까지")[tongue]
  }

  private func grouped(_ amount: Amount) -> String { HumanNumber.grouped(amount.description) }
  private func signed(_ step: Amount) -> String { (step > .zero ? "+" : "") + grouped(step) }
}
