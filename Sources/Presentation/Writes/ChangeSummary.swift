import Catalog
import Text

/// A short description of a change for one row of the screen: `price ₩19,000 → ₩17,100`.
package struct ChangeSummary {
  private let options: RenderOptions
  private let arrow: String
  private let isPlan: Bool
  /// A Boolean value that indicates that a discount is left out where the sale price shows it.
  var isBrief = false

  /// Creates the descriptions.
  ///
  /// `isPlan` is for changes that are not written yet, which include relative changes and the sale price.
  package init(_ options: RenderOptions, isPlan: Bool = false) {
    self.options = options
    self.isPlan = isPlan
    arrow = " " + options.arrow + " "
  }

  /// Returns the values of a change without its verb: `price ₩19,000 → ₩17,100`; empty for a delete.
  package func values(of change: Change) -> String {
    let parts = of(change, nil)
    switch change {
    case .create: return parts.dropFirst().joined(separator: ", ")
    case .edit: return parts.joined(separator: ", ")
    case .delete: return ""
    }
  }

  /// Returns the result of a target: the change, or the result and its reason.
  func of(_ row: WriteReceipt.Row) -> String {
    let change = row.change.map { of($0, row.product).joined(separator: ", ") } ?? ""
    if row.outcome == .done {
      let detail = row.detail.map { " (" + $0[options.language].plain + ")" } ?? ""
      return change + detail
    }
    let words = row.outcome.phrase[options.language].plain
    guard let detail = row.detail?[options.language].plain else { return words }
    switch row.outcome {
    // The details of these would repeat the result.
    case .done, .skipped, .notApplied: return words
    case .notSent, .unchanged, .unknown, .drifted: return detail
    case .refused: return words + ": " + detail
    }
  }

  /// Returns one part per field, with values as stored if known.
  func of(_ change: Change, _ now: Product?) -> [String] {
    switch change {
    case .create(let draft):
      let made = (isPlan ? LocalizedText("new", ko: "새 상품") : LocalizedText("created", ko: "등록"))[options.language]
        .plain
      let currency = now?.currency ?? draft.currency
      return [
        made, named(.price, money(now?.price ?? draft.price, currency)),
        named(.stock, count(now?.stock ?? draft.stock)),
      ]
    case .delete:
      return [(isPlan ? LocalizedText("delete", ko: "삭제") : LocalizedText("deleted", ko: "삭제"))[options.language].plain]
    case .edit(let product, let from, let to): return edited(product, change: change, from: from, to: to, now: now)
    }
  }

  private func edited(
    _ product: Product, change: Change, from: ProductValues, to: ProductValues, now: Product?
  ) -> [String] {
    var parts: [String] = []
    // The product of a plan file may come without its currency.
    let currency = product.currency ?? (to.currency == nil ? now?.currency : nil)
    let newCurrency = now?.currency ?? to.currency ?? currency
    let saleShowsDiscount = isBrief && isPlan && change.sale?.after != nil && change.sale != change.price
    for field in ProductField.allCases {
      switch field {
      case .name:
        if let name = to.name {
          parts.append(moved(field, before: CellText.words(from.name), after: CellText.words(name)))
        }
      case .description, .thumbnail: if to[field] != nil { parts.append(rewritten(field)) }
      case .price:
        guard let price = to.price else { continue }
        let share = share(from.price, price, of: change.sale == change.price ? nil : change.sale)
        parts.append(
          moved(field, before: money(from.price, currency), after: money(now?.price ?? price, newCurrency)) + share)
      case .discount:
        guard let discount = to.discount, !saleShowsDiscount else { continue }
        parts.append(
          moved(field, before: money(from.discount, currency), after: money(now?.discount ?? discount, newCurrency)))
      case .sale:
        guard isPlan, let sale = change.sale, let after = sale.after, sale != change.price else { continue }
        parts.append(
          moved(field, before: money(sale.before, currency), after: money(after, newCurrency))
            + share(sale.before, after, of: nil))
      case .currency:
        guard let currency = to.currency else { continue }
        parts.append(moved(field, before: CellText.words(from.currency?.code), after: CellText.words(currency.code)))
      case .stock:
        if let stock = to.stock {
          parts.append(moved(field, before: count(from.stock), after: count(now?.stock ?? stock)))
        }
      case .images: if let files = to.pictures { parts.append(named(field, String(files.count))) }
      case .id, .vendor, .vendorID, .created, .modified: break
      }
    }
    return parts
  }

  /// Returns a relative change such as ` (-10 %)`; empty after the write, and if another price includes it.
  private func share(_ before: Amount?, _ after: Amount, of other: Change.PriceChange?) -> String {
    guard isPlan, other == nil else { return "" }
    return before.flatMap { NumberFormatting.percent(from: $0, to: after) }.map { " (" + $0 + ")" } ?? ""
  }

  private func moved(_ field: ProductField, before: String, after: String) -> String {
    named(field, before + arrow + after)
  }

  private func named(_ field: ProductField, _ value: String) -> String {
    field.title[options.language].plain + " " + value
  }

  /// Returns a note for a text that is too long for a row, or an id that says nothing to users.
  private func rewritten(_ field: ProductField) -> String {
    let title = field.title
    return LocalizedText("\(title.english) changed", ko: "\(title.korean) 변경")[options.language].plain
  }

  private func money(_ amount: Amount?, _ currency: Currency?) -> String {
    amount.map { NumberFormatting.money($0, currency, ascii: options.usesASCII) } ?? "-"
  }

  private func count(_ number: Int?) -> String { number.map { NumberFormatting.grouped($0) } ?? "-" }
}
