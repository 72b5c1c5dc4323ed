import Catalog
import Text

/// The effect of a batch on one field in one currency.
struct FieldTotals: Equatable {
  struct Key: Hashable {
    var field: ProductField
    var currency: Currency?
  }

  private struct Extreme: Equatable {
    var delta: Amount
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
    if lowest.map({ step < $0.delta }) ?? true { lowest = Extreme(delta: step, id: id) }
    if highest.map({ step > $0.delta }) ?? true { highest = Extreme(delta: step, id: id) }
  }

  /// Returns `price KRW: sum 120,000 → 108,000 (-10 %), from -3,000 (42) to -200 (17)`, on two lines if one is too
  /// short.
  func lines(_ key: Key, of changes: Int, _ options: RenderOptions) -> [StyledText] {
    let language = options.language
    let currency = key.currency.map { " " + $0.code } ?? ""
    // The relative change of the discounts says nothing; that of the sale prices does.
    let share = key.field == .discount ? nil : NumberFormatting.percent(from: before, to: after).map { " (" + $0 + ")" }
    let sums: StyledText =
      "\(.before(grouped(before))) \(options.arrow) \(.after(grouped(after)))\(.dim(share ?? ""))"
    let products =
      count == changes
      ? StyledText("")
      : LocalizedText(
        ", \(count) \(count == 1 ? StyledText("product") : "products")", ko: ", 상품 \(count)개")[language]
    let head =
      StyledText("  ") + key.field.title[language] + "\(.foreign(currency))" + products
      + LocalizedText(": total \(sums)", ko: ": 합계 \(sums)")[language]
    guard let extremes = extremes(language) else { return [head] }
    let line = head + ", " + extremes
    guard let width = options.lineWidth, options.cells.of(line.plain) > width else { return [line] }
    return [head, StyledText("    ") + extremes]
  }

  private func extremes(_ language: MessageLanguage) -> StyledText? {
    guard let lowest, let highest else { return nil }
    if lowest.delta == highest.delta {
      return LocalizedText("each \(.after(signed(lowest.delta)))", ko: "각각 \(.after(signed(lowest.delta)))")[language]
    }
    return LocalizedText(
      "from \(.after(signed(lowest.delta))) (\(lowest.id)) to \(.after(signed(highest.delta))) (\(highest.id))",
      ko: "\(.after(signed(lowest.delta)))(\(lowest.id)번)부터 \(.after(signed(highest.delta)))(\(highest.id)번)까지")[
        language]
  }

  private func grouped(_ amount: Amount) -> String { NumberFormatting.grouped(amount.description) }
  private func signed(_ step: Amount) -> String { (step > .zero ? "+" : "") + grouped(step) }
}
