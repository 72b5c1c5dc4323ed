import Catalog
import Foundation
import Text

/// The lines of one change: a heading with id and name, then a line per field.
enum ChangeLines {
  static func lines(_ change: Change, _ options: RenderOptions) -> [StyledText] {
    let tongue = options.language
    switch change {
    case .create(let draft):
      return [LocalizedText("create \(.foreign(draft.name))", ko: "새 상품 \(.foreign(draft.name))")[tongue]]
        + quoted([draft.name, draft.description], tongue) + createLines(draft, change.sale, options)
    case .edit(let product, let from, let to):
      return [head(product, LocalizedText("update", ko: "수정"), tongue)] + edited(product, change, from, to, options)
    case .delete(let product):
      return [head(product, LocalizedText("delete", ko: "삭제"), tongue)]
    }
  }

  private static func head(_ product: Product, _ deed: LocalizedText, _ tongue: MessageLanguage) -> StyledText {
    deed[tongue] + " \(.strong(product.id)) \(.foreign(product.name ?? "-"))"
  }

  private static func createLines(_ draft: ProductDraft, _ sale: Change.PriceChange?, _ options: RenderOptions) -> [StyledText] {
    let tongue = options.language
    return [
      line(.description, "\(.foreign(draft.description))", tongue),
      line(.price, "\(.after(NumberFormatting.money(draft.price, draft.currency, ascii: options.usesASCII)))", tongue),
      line(.discount, "\(.after(NumberFormatting.money(draft.discount, draft.currency, ascii: options.usesASCII)))", tongue),
      line(
        .sale, "\(.after(sale?.after.map { NumberFormatting.money($0, draft.currency, ascii: options.usesASCII) } ?? "-"))",
        tongue),
      line(.stock, "\(.after(draft.stock))", tongue),
      pictures(draft.pictures, tongue),
    ]
  }

  private static func pictures(_ pictures: [PictureFile], _ tongue: MessageLanguage) -> StyledText {
    let bytes = pictures.map { NumberFormatting.bytes($0.bytes.count) }.joined(separator: ", ")
    let sizes: StyledText = pictures.isEmpty ? "" : " \(.dim("(" + bytes + ")"))"
    return line(.images, "\(.after(pictures.count))" + sizes, tongue)
  }

  private static func edited(
    _ product: Product, _ change: Change, _ from: ProductValues, _ to: ProductValues, _ options: RenderOptions
  ) -> [StyledText] {
    let tongue = options.language
    var lines: [StyledText] = []
    if let name = to.name { lines.append(textChangeLine(.name, from.name, name, options)) }
    if let text = to.description { lines.append(textChangeLine(.description, from.description, text, options)) }
    lines += quoted([to.name, to.description], tongue)
    let currencies = (product.currency, to.currency ?? product.currency)
    if let price = to.price { lines.append(amount(.price, from.price, price, currencies, options)) }
    if let discount = to.discount { lines.append(amount(.discount, from.discount, discount, currencies, options)) }
    // Without a discount the sale price equals the price.
    if let sale = change.sale, let after = sale.after, sale != change.price {
      lines.append(amount(.sale, sale.before, after, currencies, options))
    }
    if let currency = to.currency { lines.append(changeLine(.currency, from.currency?.code, currency.code, options)) }
    if let stock = to.stock {
      lines.append(changeLine(.stock, from.stock.map { NumberFormatting.grouped($0) }, NumberFormatting.grouped(stock), options))
    }
    if let thumbnail = to.thumbnailID {
      lines.append(
        changeLine(.thumbnail, pictureNumber(of: product.coverPicture?.id, in: product), pictureNumber(of: thumbnail, in: product) ?? "-", options))
    }
    if let files = to.pictures { lines.append(pictures(files, tongue)) }
    return lines
  }

  /// Returns the number of a picture, as users type it, or its id if the product's pictures are unknown.
  private static func pictureNumber(of picture: Int?, in product: Product) -> String? {
    guard let picture else { return nil }
    return (product.images?.firstIndex { $0.id == picture }).map { String($0 + 1) } ?? String(picture)
  }

  private static func line(_ field: ProductField, _ value: StyledText, _ tongue: MessageLanguage) -> StyledText {
    StyledText("  ") + field.title[tongue] + " " + value
  }

  private static func changeLine(
    _ field: ProductField, _ before: String?, _ after: String, _ options: RenderOptions
  ) -> StyledText {
    line(field, "\(.before(before ?? "-")) \(options.arrow) \(.after(after))", options.language)
  }

  /// Returns the line of a text change.
  ///
  /// A difference that is not visible is described.
  private static func textChangeLine(
    _ field: ProductField, _ before: String?, _ after: String, _ options: RenderOptions
  ) -> StyledText {
    let unseen = before.flatMap { InvisibleDifference($0, after) }.map { " (" + $0.description + ")" } ?? ""
    return changeLine(field, before, after, options) + "\(.dim(unseen))"
  }

  /// Returns a note for values in typographic quotes, which are part of the value and do not quote it.
  private static func quoted(_ texts: [String?], _ tongue: MessageLanguage) -> [StyledText] {
    texts.compactMap(\.self).filter(isQuoted).map { text in
      let words = LocalizedText(
        "\(.foreign(text)): curly quotes are kept as part of the value", ko: "\(.foreign(text)): 둥근따옴표는 값에 그대로 들어갑니다")
      return StyledText("  ") + words[tongue]
    }
  }

  private static func isQuoted(_ text: String) -> Bool {
    guard text.count > 1, let first = text.first, let last = text.last else { return false }
    return "“”„«‘’".contains(first) && "“”»‘’".contains(last)
  }

  private static func amount(
    _ field: ProductField, _ before: Amount?, _ after: Amount, _ currencies: (before: Currency?, after: Currency?),
    _ options: RenderOptions
  ) -> StyledText {
    // The relative change of a discount says nothing; that of the sale price does.
    let share = field == .discount ? nil : before.flatMap { NumberFormatting.percent(from: $0, to: after) }
    let old = before.map { NumberFormatting.money($0, currencies.before, ascii: options.usesASCII) }
    let new = NumberFormatting.money(after, currencies.after, ascii: options.usesASCII)
    return changeLine(field, old, new, options) + "\(.dim(share.map { " (" + $0 + ")" } ?? ""))"
  }
}

/// The difference between two texts that look alike on most terminals: a skin tone, a joiner, a variation selector.
struct InvisibleDifference: CustomStringConvertible {
  private let gone: [Unicode.Scalar]
  private let new: [Unicode.Scalar]

  /// Finds the difference, or returns `nil` if the texts are equal or differ visibly.
  init?(_ before: String, _ after: String) {
    guard before != after, InvisibleDifference.seen(before) == InvisibleDifference.seen(after) else { return nil }
    let (old, now) = (InvisibleDifference.unseen(before), InvisibleDifference.unseen(after))
    let difference = now.difference(from: old)
    gone = difference.removals.map(InvisibleDifference.element)
    new = difference.insertions.map(InvisibleDifference.element)
  }

  var description: String { InvisibleDifference.spelled(gone) + " -> " + InvisibleDifference.spelled(new) }

  private static func element(_ change: CollectionDifference<Unicode.Scalar>.Change) -> Unicode.Scalar {
    switch change {
    case .insert(_, let scalar, _), .remove(_, let scalar, _): scalar
    }
  }

  private static func spelled(_ scalars: [Unicode.Scalar]) -> String {
    if scalars.isEmpty { return "-" }
    return scalars.map { "U+" + String($0.value, radix: 16, uppercase: true) }.joined(separator: " ")
  }

  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1F3FB...0x1F3FF, 0xFE00...0xFE0F, 0x200B...0x200D, 0x2060, 0xFEFF: true
    default: false
    }
  }

  private static func seen(_ text: String) -> [Unicode.Scalar] {
    text.nfcNormalized.unicodeScalars.filter { !isUnseen($0) }
  }
  private static func unseen(_ text: String) -> [Unicode.Scalar] { text.nfcNormalized.unicodeScalars.filter(isUnseen) }
}

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
    let tongue = options.language
    let currency = key.currency.map { " " + $0.code } ?? ""
    // The relative change of the discounts says nothing; that of the sale prices does.
    let share = key.field == .discount ? nil : NumberFormatting.percent(from: before, to: after).map { " (" + $0 + ")" }
    let sums: StyledText =
      "\(.before(grouped(before))) \(options.arrow) \(.after(grouped(after)))\(.dim(share ?? ""))"
    let products =
      count == changes
      ? StyledText("")
      : LocalizedText(
        ", \(count) \(count == 1 ? StyledText("product") : "products")", ko: ", 상품 \(count)개")[tongue]
    let head =
      StyledText("  ") + key.field.title[tongue] + "\(.foreign(currency))" + products
      + LocalizedText(": total \(sums)", ko: ": 합계 \(sums)")[tongue]
    guard let extremes = extremes(tongue) else { return [head] }
    let line = head + ", " + extremes
    guard let width = options.lineWidth, options.cells.of(line.plain) > width else { return [line] }
    return [head, StyledText("    ") + extremes]
  }

  private func extremes(_ tongue: MessageLanguage) -> StyledText? {
    guard let lowest, let highest else { return nil }
    if lowest.delta == highest.delta {
      return LocalizedText("each \(.after(signed(lowest.delta)))", ko: "각각 \(.after(signed(lowest.delta)))")[tongue]
    }
    return LocalizedText(
      "from \(.after(signed(lowest.delta))) (\(lowest.id)) to \(.after(signed(highest.delta))) (\(highest.id))",
      ko: "\(.after(signed(lowest.delta)))(\(lowest.id)번)부터 \(.after(signed(highest.delta)))(\(highest.id)번)까지")[tongue]
  }

  private func grouped(_ amount: Amount) -> String { NumberFormatting.grouped(amount.description) }
  private func signed(_ step: Amount) -> String { (step > .zero ? "+" : "") + grouped(step) }
}
