import Catalog
import Foundation
import Text

/// The lines of one change: a heading with id and name, then a line per field.
enum ChangeLines {
  static func lines(_ change: Change, _ options: RenderOptions) -> [StyledText] {
    let language = options.language
    switch change {
    case .create(let draft):
      return [LocalizedText("create \(.foreign(draft.name))", ko: "새 상품 \(.foreign(draft.name))")[language]]
        + quoted([draft.name, draft.description], language) + createLines(draft, sale: change.sale, options: options)
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
      switch field {
      case .description: line(field, value: "\(.foreign(draft.description))", in: language)
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
    return line(.images, value: "\(.after(pictures.count))" + sizes, in: language)
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
    return changeLine(field, before: before, after: after, options: options) + "\(.dim(unseen))"
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
