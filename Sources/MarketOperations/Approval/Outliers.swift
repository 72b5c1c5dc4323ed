import Catalog
import Foundation
import Presentation
import Text
import WriteJournal

/// A change that is probably a mistake.
package struct Outlier: Hashable, Sendable {
  package var wording: LocalizedText
  /// The index of the change, or `nil` if it concerns all changes together.
  package var change: Int?
}

extension Plan {
  /// The indices of the changes that are probably mistakes.
  package var unusualChanges: Set<Int> { Set(Outliers.find(in: self).compactMap(\.change)) }
}

/// The detection of changes so extreme that they are probably mistakes, based on the sale price, the currency and the
/// stock.
enum Outliers {
  /// The stock up to which an increase is never an outlier.
  private static let maximumOrdinaryStock = 1_000

  /// Returns the outliers of a plan.
  ///
  /// `ascii` writes amounts without currency symbols, and `documentsCurrencies` says whether the market documents which
  /// currencies it takes.
  static func find(in plan: Plan, ascii: Bool = false, documentsCurrencies: Bool = true) -> [Outlier] {
    var found: [Outlier] = []
    for (index, change) in plan.changes.enumerated() {
      found += outliers(change, ascii: ascii, documentsCurrencies: documentsCurrencies).map {
        Outlier(wording: $0, change: index)
      }
    }
    let emptied = plan.changes.count { change in
      if case .edit(_, _, let to) = change { to.stock == 0 } else { false }
    }
    if emptied > 10 {
      found.append(
        Outlier(wording: LocalizedText("stock becomes 0 for \(emptied) products", ko: "상품 \(emptied)개의 재고가 0이 됩니다")))
    }
    let deletes = plan.changes.contains { if case .delete = $0 { true } else { false } }
    if deletes, let all = plan.deletedFolderProducts {
      found.append(
        Outlier(
          wording: LocalizedText(
            "the files of all \(all) products of the folder are gone", ko: "폴더의 상품 \(all)개의 파일이 모두 없습니다")))
    }
    if plan.computesPrices, let mixed = mixedCurrencies(plan) { found.insert(Outlier(wording: mixed), at: 0) }
    return found
  }

  /// Returns a warning that lists the first outliers, or `nil` if there are none.
  static func warning(_ outliers: [Outlier]) -> Message? {
    if outliers.isEmpty { return nil }
    return .warning("Unusual values:", ko: "평소와 크게 다른 값이 있습니다:")
      .because(first: 5, of: outliers, reason: \.wording)
  }

  private static func outliers(_ change: Change, ascii: Bool, documentsCurrencies: Bool) -> [LocalizedText] {
    let name: LocalizedText
    var found: [LocalizedText] = []
    switch change {
    case .create(let draft):
      name = LocalizedText(same: "\(.foreign(draft.name))")
      if documentsCurrencies { found += unknown(draft.currency, of: name) }
      found += stock(from: 0, to: draft.stock, of: name)
      found += decimals([draft.price, draft.discount], draft.currency)
    case .edit(let product, let from, let to):
      name = LocalizedText("product \(product.id)", ko: "\(product.id)번 상품")
      if let currency = to.currency {
        found += self.currency(from.currency ?? product.currency, currency, documentsCurrencies, of: name)
      }
      if let stock = to.stock { found += self.stock(from: from.stock ?? product.stock, to: stock, of: name) }
      if let currency = to.currency ?? product.currency, to.currency != nil || to.price != nil || to.discount != nil {
        found += decimals([to.price ?? product.price, to.discount ?? product.discount], currency)
      }
    case .delete: return []
    }
    return prices(of: change, name, ascii) + found
  }

  // MARK: Money

  /// Returns the outliers of the list price, or those of the sale price if the list price has none.
  private static func prices(of change: Change, _ name: LocalizedText, _ ascii: Bool) -> [LocalizedText] {
    let currencies: (before: Currency?, after: Currency?) =
      switch change {
      case .create(let draft): (nil, draft.currency)
      case .edit(let product, _, let to): (product.currency, to.currency ?? product.currency)
      case .delete: (nil, nil)
      }
    func outliers(_ field: ProductField, _ step: Change.PriceChange) -> [LocalizedText] {
      priceOutliers(
        field, step, of: name, before: step.before.map { NumberFormatting.money($0, currencies.before, ascii: ascii) },
        after: step.after.map { NumberFormatting.money($0, currencies.after, ascii: ascii) } ?? "-")
    }
    var found: [LocalizedText] = []
    if let price = change.price { found += outliers(.price, price) }
    if found.isEmpty, let sale = change.sale { found += outliers(.sale, sale) }
    return found
  }

  /// Returns an outlier if the new price is zero or negative, less than half, or more than double the old one.
  private static func priceOutliers(
    _ field: ProductField, _ step: Change.PriceChange, of name: LocalizedText, before: String?, after: String
  ) -> [LocalizedText] {
    let isNothing = step.after.map { $0 <= .zero && step.before != $0 } ?? false
    guard isNothing || isMoreThanDoubleOrHalf(step) else { return [] }
    let title = field.title
    guard let before else {
      return [
        LocalizedText(
          "\(name[.english]): \(title[.english]) \(after)", ko: "\(name[.korean]): \(title[.korean]) \(after)")
      ]
    }
    return [
      LocalizedText(
        "\(name[.english]): \(title[.english]) \(.before(before)) -> \(.after(after))",
        ko: "\(name[.korean]): \(title[.korean]) \(.before(before)) -> \(.after(after))")
    ]
  }

  private static func isMoreThanDoubleOrHalf(_ step: Change.PriceChange) -> Bool {
    guard let before = step.before, let after = step.after, before.decimalValue > 0 else { return false }
    return after.decimalValue < before.decimalValue / 2 || after.decimalValue > before.decimalValue * 2
  }

  /// Returns an outlier if the currency changes, because the same number in another currency is always another price.
  private static func currency(
    _ old: Currency?, _ new: Currency, _ documentsCurrencies: Bool, of name: LocalizedText
  ) -> [LocalizedText] {
    guard old != new else { return [] }
    let old = old?.code ?? "-"
    let moved = LocalizedText(
      "\(name[.english]): currency \(.before(old)) -> \(.after(new.code))",
      ko: "\(name[.korean]): 통화 \(.before(old)) -> \(.after(new.code))")
    return [moved] + (documentsCurrencies ? unknown(new, of: name) : [])
  }

  /// Returns an outlier if the currency isn't documented by the API.
  ///
  /// It may be intended.
  private static func unknown(_ currency: Currency, of name: LocalizedText) -> [LocalizedText] {
    guard !currency.isDocumented else { return [] }
    let known = Currency.documented.map(\.code).joined(separator: ", ")
    return [
      LocalizedText(
        "\(name[.english]): currency \(.foreign(currency.code)) is not one of \(known)",
        ko: "\(name[.korean]): 통화 \(.foreign(currency.code), .topic) API 문서의 통화(\(known))가 아닙니다")
    ]
  }

  /// Returns an outlier if prices in several currencies are changed by the same plan, which is hardly ever intended.
  private static func mixedCurrencies(_ plan: Plan) -> LocalizedText? {
    var counts: [String: Int] = [:]
    for case .edit(let product, _, let to) in plan.changes where to.price != nil || to.discount != nil {
      if let currency = to.currency ?? product.currency { counts[currency.code, default: 0] += 1 }
    }
    guard counts.count > 1 else { return nil }
    let list = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
    return LocalizedText(
      "mixed currencies: \(.foreign(list.joined(separator: ", ")))",
      ko: "여러 통화가 섞임: \(.foreign(list.joined(separator: ", ")))")
  }

  private static func decimals(_ amounts: [Amount?], _ currency: Currency) -> [LocalizedText] {
    guard currency.minorUnitDigits == 0 else { return [] }
    return amounts.compactMap(\.self).filter(\.hasFraction).map {
      LocalizedText("decimals in \(currency): \($0)", ko: "\(currency)에 소수점: \($0)")
    }
  }

  // MARK: Stock

  private static func stock(from old: Int?, to new: Int, of name: LocalizedText) -> [LocalizedText] {
    guard let old, new > maximumOrdinaryStock, new / 10 > old || (new / 10 == old && new % 10 > 0) else { return [] }
    return [
      LocalizedText(
        "\(name[.english]): stock \(.before(old)) -> \(.after(new))",
        ko: "\(name[.korean]): 재고 \(.before(old)) -> \(.after(new))")
    ]
  }
}
