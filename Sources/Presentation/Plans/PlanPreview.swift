import Catalog
import Foundation
import Text

/// The preview of a plan before the confirmation prompt: a row per product, followed by the summary.
///
/// Only rows may scroll off the screen. The target, the number of changes and their sums are last, next to the prompt.
package struct PlanPreview: Sendable {
  /// The target of the writes.
  package struct Target: Hashable, Sendable {
    package var profile: String?
    package var vendor: String?
    package var host: String
    /// The access mode: `rw` or `ro`.
    package var access: String

    package init(profile: String?, vendor: String?, host: String, access: String) {
      self.profile = profile
      self.vendor = vendor
      self.host = host
      self.access = access
    }
  }

  /// The number of rows to show without a window.
  private static let defaultRows = 20
  /// The number of rows to show in a window that is too small for them.
  private static let minimumRows = 3

  private let changes: [Change]
  private let heading: Target
  private let prioritizedIndices: [Int]
  private let isNumbered: Bool

  /// Creates a preview.
  ///
  /// - Parameters:
  ///   - changes: The changes of the plan.
  ///   - heading: The target of the writes.
  ///   - first: The indices of the changes to show before all others: outliers.
  ///   - isNumbered: Numbers several changes, so that the answer to the prompt can refer to them.
  package init(_ changes: [Change], heading: Target, prioritizedIndices: [Int] = [], isNumbered: Bool = false) {
    self.isNumbered = isNumbered && changes.count > 1
    self.changes = changes
    self.heading = heading
    self.prioritizedIndices = prioritizedIndices
  }

  /// Returns the changes, each line ended: the fields of a single change, or a row for each of several.
  ///
  /// - Parameters:
  ///   - options: The options of the output.
  ///   - height: The number of available lines, or `nil` without a window.
  ///   - showsAll: Shows every change in full, regardless of the height.
  /// - Returns: The lines.
  package func changes(_ options: RenderOptions, height: Int? = nil, showsAll: Bool = false) -> String {
    PlanPreview.ended(lines(options, height: height, showsAll: showsAll))
  }

  /// Returns the target, the number of changes of each kind and their sums, each line ended.
  package func summary(_ options: RenderOptions) -> String {
    var lines = [title(options)]
    if changes.count > 1 { lines += PlanSummary(changes).lines(options) }
    return PlanPreview.ended(lines.flatMap { Styling.lines($0, width: options.lineWidth, options) })
  }

  private func lines(_ options: RenderOptions, height: Int?, showsAll: Bool) -> [String] {
    guard changes.count > 1 else {
      return changes.flatMap { ChangeLines.lines($0, options) }
        .flatMap { Styling.lines($0, width: options.lineWidth, options) }
    }
    let count = changes.count
    var rows = PlanRows(changes, order: order, isNumbered: isNumbered, options)
    rows.showsEverything = showsAll
    if showsAll { return rows.lines(count, showsDetails: true) }
    // Two lines are for the heading, and one for the number of omitted rows.
    let most = max(PlanPreview.minimumRows, height.map { $0 - 2 } ?? PlanPreview.defaultRows)
    if count <= most {
      let whole = rows.lines(count, showsDetails: true)
      return whole.count <= most + 2 ? whole : rows.lines(count, showsDetails: false)
    }
    let shown = max(PlanPreview.minimumRows, most - 1)
    let rest = LocalizedText(
      isNumbered
        ? "and \(count - shown) more; \(.command("a")) shows every one"
        : "and \(count - shown) more; \(.command("all")) shows every one",
      ko: isNumbered
        ? "그 밖에 \(count - shown)개. \(.command("a"), .object) 누르면 모두 표시합니다"
        : "그 밖에 \(count - shown)개. \(.command("all"), .object) 붙이면 모두 표시합니다")
    return rows.lines(shown, showsDetails: false)
      + Styling.lines(rest[options.language], width: options.lineWidth, options)
  }

  private static func ended(_ lines: [String]) -> String { TerminalRenderer.joined(lines) }

  /// The order of the changes: outliers first, the others as in the plan.
  private var order: [Int] {
    var isShown = Set<Int>()
    let early = prioritizedIndices.filter { changes.indices.contains($0) && isShown.insert($0).inserted }
    return early + changes.indices.filter { !isShown.contains($0) }
  }

  private func title(_ options: RenderOptions) -> StyledText {
    let vendor = heading.vendor.map {
      " " + LocalizedText("vendor \(.foreign($0))", ko: "판매자 \(.foreign($0))")[options.language]
    }
    let profile: StyledText = heading.profile.map { "\(.strong(Sanitizer.sanitized($0))) " } ?? ""
    return StyledText(options.arrow + " ") + profile + "\(.dim("(" + heading.access + ")")) \(.foreign(heading.host))"
      + (vendor ?? "")
  }
}

extension StyledText {
  static func + (left: String, right: StyledText) -> StyledText { StyledText(left) + right }
}

extension RenderOptions {
  /// The arrow between the old and new value.
  ///
  /// Its width is ambiguous, so some terminals get two ASCII characters.
  var arrow: String { usesASCIILines ? "->" : "→" }
}

/// The summary of a batch: the number of changes of each kind, and for prices and stock the sums and the smallest and
/// largest change.
struct PlanSummary {
  private let changes: [Change]

  init(_ changes: [Change]) { self.changes = changes }

  func lines(_ options: RenderOptions) -> [StyledText] { [counts(options.language)] + figures(options) }

  private func counts(_ language: MessageLanguage) -> StyledText {
    var (made, edited, deleted) = (0, 0, 0)
    for change in changes {
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
      " (\(grouped(changes.count)) changes in total)", ko: " 모두 \(grouped(changes.count))개")[language]
    return parts.dropFirst().reduce(parts.first ?? "") { $0 + ", " + $1 } + (parts.count > 1 ? total : "")
  }

  private func noun(_ count: Int) -> StyledText { count == 1 ? "product" : "products" }

  /// Returns one line per field and currency in the order of their occurrence.
  private func figures(_ options: RenderOptions) -> [StyledText] {
    var order: [FieldTotals.Key] = []
    var figures: [FieldTotals.Key: FieldTotals] = [:]
    func count(_ field: ProductField, before: Amount?, after: Amount?, product: Product, currency: Currency?) {
      guard let before, let after, before != after else { return }
      let key = FieldTotals.Key(field: field, currency: field == .stock ? nil : currency)
      if figures[key] == nil { order.append(key) }
      figures[key, default: FieldTotals()].add(before, after, id: product.id)
    }
    for change in changes {
      guard case .edit(let product, let from, let to) = change else { continue }
      // A change of the currency would add up amounts in different currencies.
      if to.currency == nil {
        count(.price, before: from.price, after: to.price, product: product, currency: product.currency)
        count(.discount, before: from.discount, after: to.discount, product: product, currency: product.currency)
        count(
          .sale, before: change.sale?.before, after: change.sale?.after, product: product, currency: product.currency)
      }
      count(
        .stock, before: from.stock.map { Amount($0) }, after: to.stock.map { Amount($0) }, product: product,
        currency: nil)
    }
    // Without a discount the sale prices equal the prices.
    for key in order where key.field == .sale {
      if figures[key] == figures[FieldTotals.Key(field: .price, currency: key.currency)] { figures[key] = nil }
    }
    return order.flatMap { key in figures[key].map { $0.lines(key, of: changes.count, options) } ?? [] }
  }

  private func grouped(_ number: Int) -> String { NumberFormatting.grouped(number) }
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

  mutating func add(_ old: Amount, _ new: Amount, id: Product.ID) {
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

/// The lines of one change: a heading with id and name, then a line per field.
enum ChangeLines {
  static func lines(_ change: Change, _ options: RenderOptions) -> [StyledText] {
    let language = options.language
    switch change {
    case .create(let draft):
      let name = CellText.delimited(draft.name)
      return [LocalizedText("create \(.foreign(name))", ko: "새 상품 \(.foreign(name))")[language]]
        + quoted([draft.name, draft[.description] == nil ? "" : draft.description], language)
        + createLines(draft, sale: change.sale, options: options)
    case .edit(let product, let from, let to):
      return [head(product, verb: LocalizedText("update", ko: "수정"), in: language)]
        + edited(product, change: change, from: from, to: to, options: options)
    case .delete(let product):
      return [head(product, verb: LocalizedText("delete", ko: "삭제"), in: language)]
    }
  }

  private static func head(_ product: Product, verb: LocalizedText, in language: MessageLanguage) -> StyledText {
    verb[language] + " \(.strong(product.id)) \(.foreign(product.name ?? "-"))"
  }

  private static func createLines(_ draft: ProductDraft, sale: Change.PriceChange?, options: RenderOptions)
    -> [StyledText]
  {
    let language = options.language
    func money(_ amount: Amount?) -> StyledText {
      "\(.after(amount.map { NumberFormatting.money($0, draft.currency, ascii: options.usesASCII) } ?? "-"))"
    }
    return ProductField.allCases.compactMap { field -> StyledText? in
      guard !draft.unset.contains(field), !(field == .sale && draft.unset.contains(.discount)),
        !(field == .images && draft.pictures.isEmpty && !draft.unset.isEmpty)
      else { return nil }
      return switch field {
      case .description: line(field, value: "\(.foreign(CellText.delimited(draft.description)))", in: language)
      case .price: line(field, value: money(draft.price), in: language)
      case .discount: line(field, value: money(draft.discount), in: language)
      case .sale: line(field, value: money(sale?.after), in: language)
      case .stock: line(field, value: "\(.after(draft.stock))", in: language)
      case .images: pictures(draft.pictures, language)
      // The name is in the heading, and the currency in the amounts.
      case .name, .currency: nil
      case .id, .vendor, .vendorID, .created, .modified, .thumbnail: nil
      }
    }
  }

  private static func pictures(_ pictures: [PictureFile], _ language: MessageLanguage) -> StyledText {
    let bytes = pictures.map { NumberFormatting.bytes($0.bytes.count) }.joined(separator: ", ")
    // Pictures of the log are loaded when they are sent; until then their size isn't known.
    let isLoaded = pictures.allSatisfy { !$0.bytes.isEmpty }
    let sizes: StyledText = pictures.isEmpty || !isLoaded ? "" : " \(.dim("(" + bytes + ")"))"
    let stated = pictures.compactMap { $0.statedPath ?? $0.address }
    let paths: StyledText = stated.isEmpty ? "" : " \(.foreign(stated.joined(separator: ", ")))"
    return line(.images, value: "\(.after(pictures.count))" + paths + sizes, in: language)
  }

  private static func edited(
    _ product: Product, change: Change, from: ProductValues, to: ProductValues, options: RenderOptions
  ) -> [StyledText] {
    let language = options.language
    var lines: [StyledText] = []
    let currencies = (product.currency, to.currency ?? product.currency)
    for field in ProductField.allCases {
      switch field {
      case .name, .description:
        if let text = to[field]?.description {
          lines.append(textChangeLine(field, before: from[field]?.description, after: text, options: options))
        }
        if field == .description { lines += quoted([to.name, to.description], language) }
      case .price:
        if let price = to.price {
          lines.append(amount(field, before: from.price, after: price, currencies: currencies, options: options))
        }
      case .discount:
        if let discount = to.discount {
          lines.append(amount(field, before: from.discount, after: discount, currencies: currencies, options: options))
        }
      case .sale:
        // Without a discount the sale price equals the price.
        if let sale = change.sale, let after = sale.after, sale != change.price {
          lines.append(amount(field, before: sale.before, after: after, currencies: currencies, options: options))
        }
      case .currency:
        if let currency = to.currency {
          lines.append(changeLine(field, before: from.currency?.code, after: currency.code, options: options))
        }
      case .stock:
        if let stock = to.stock {
          let before = from.stock.map { NumberFormatting.grouped($0) }
          lines.append(changeLine(field, before: before, after: NumberFormatting.grouped(stock), options: options))
        }
      case .thumbnail:
        if let thumbnail = to.thumbnailID {
          let before = pictureNumber(of: product.coverPicture?.id, in: product)
          lines.append(
            changeLine(field, before: before, after: pictureNumber(of: thumbnail, in: product) ?? "-", options: options)
          )
        }
      case .images: if let files = to.pictures { lines.append(pictures(files, language)) }
      case .id, .vendor, .vendorID, .created, .modified: break
      }
    }
    return lines
  }

  /// Returns the number of a picture, as users type it, or its id if the product's pictures are unknown.
  private static func pictureNumber(of picture: Int?, in product: Product) -> String? {
    guard let picture else { return nil }
    return (product.images?.firstIndex { $0.id == picture }).map { String($0 + 1) } ?? String(picture)
  }

  private static func line(_ field: ProductField, value: StyledText, in language: MessageLanguage) -> StyledText {
    StyledText("  ") + field.title[language] + " " + value
  }

  private static func changeLine(
    _ field: ProductField, before: String?, after: String, options: RenderOptions
  ) -> StyledText {
    line(field, value: "\(.before(before ?? "-")) \(options.arrow) \(.after(after))", in: options.language)
  }

  /// Returns the line of a text change.
  ///
  /// A difference that is not visible is described.
  private static func textChangeLine(
    _ field: ProductField, before: String?, after: String, options: RenderOptions
  ) -> StyledText {
    let unseen = before.flatMap { InvisibleDifference($0, after) }.map { " (" + $0.description + ")" } ?? ""
    return changeLine(
      field, before: before.map(CellText.delimited), after: CellText.delimited(after), options: options)
      + "\(.dim(unseen))"
  }

  /// Returns a note for values in typographic quotes, which are part of the value and do not quote it.
  private static func quoted(_ texts: [String?], _ language: MessageLanguage) -> [StyledText] {
    texts.compactMap(\.self).filter(isQuoted).map { text in
      let words = LocalizedText(
        "\(.foreign(text)): curly quotes are kept as part of the value", ko: "\(.foreign(text)): 둥근따옴표는 값에 그대로 들어갑니다")
      return StyledText("  ") + words[language]
    }
  }

  private static func isQuoted(_ text: String) -> Bool {
    guard text.count > 1, let first = text.first, let last = text.last else { return false }
    return "“”„«‘’".contains(first) && "“”»‘’".contains(last)
  }

  private static func amount(
    _ field: ProductField, before: Amount?, after: Amount, currencies: (before: Currency?, after: Currency?),
    options: RenderOptions
  ) -> StyledText {
    // The relative change of a discount says nothing; that of the sale price does.
    let share = field == .discount ? nil : before.flatMap { NumberFormatting.percent(from: $0, to: after) }
    let old = before.map { NumberFormatting.money($0, currencies.before, ascii: options.usesASCII) }
    let new = NumberFormatting.money(after, currencies.after, ascii: options.usesASCII)
    return changeLine(field, before: old, after: new, options: options) + "\(.dim(share.map { " (" + $0 + ")" } ?? ""))"
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
