import Catalog
import Text

extension Table {
  /// The names of two markets whose products are compared.
  package typealias MarketNames = (before: String, after: String)

  /// Creates the table of differences, one row for each changed field.
  ///
  /// - Parameters:
  ///   - markets: The markets that are compared, whose products have ids of their own, or `nil` for two states of one.
  ///   - field: The field that is shown of a product that was added or removed.
  ///   - word: Returns the word for a difference.
  package init(
    _ differences: [ProductDifference], between markets: MarketNames? = nil, ofMissing field: ProductField? = nil,
    word: (ProductDifference) -> String = \.word
  ) {
    func title(_ market: String?, or words: LocalizedText) -> LocalizedText {
      market.map { LocalizedText(same: "\(.foreign($0))") } ?? words
    }
    let ids: [Column] =
      markets == nil
      ? [.init("id", LocalizedText("id", ko: "번호"), isNumber: true)]
      : [
        .init("id", LocalizedText("id", ko: "번호"), isNumber: true),
        .init("other", LocalizedText("other", ko: "다른 번호"), isNumber: true),
      ]
    self.init(
      ids + [
        .init("name", LocalizedText("name", ko: "이름")), .init("change", LocalizedText("change", ko: "변경")),
        .init("field", LocalizedText("field", ko: "필드")),
        .init("before", title(markets?.before, or: LocalizedText("before", ko: "전"))),
        .init("after", title(markets?.after, or: LocalizedText("after", ko: "후"))),
      ],
      rows: differences.map { one in
        let product = markets == nil ? one.after ?? one.before : one.before ?? one.after
        let ids: [Product.ID?] = markets == nil ? [product?.id] : [one.before?.id, one.after?.id]
        func cell(_ value: FieldValue?, _ product: Product?) -> Cell {
          one.field != nil
            ? Cell(value, in: product?.currency) : field.map { Cell(product?[$0], in: product?.currency) } ?? .none
        }
        return ids.map { $0.map { .number($0) } ?? .none } + [
          Cell(product?[.name]), .localized(Table.localized(word(one))),
          one.field.map { .localized(Table.localized($0.rawValue)) } ?? .none,
          cell(one.valueBefore, one.before), cell(one.valueAfter, one.after),
        ]
      })
  }

  /// Returns the word for a difference or a field, which data formats have in English.
  package static func localized(_ word: String) -> LocalizedText {
    let korean: StyledText =
      switch word {
      case "added", "new": "새 상품"
      case "removed", "gone": "없어짐"
      case "changed": "변경"
      case "back": "재입고"
      case "sold-out": "품절"
      default: ProductField(rawValue: word)?.title.korean ?? "\(word)"
      }
    return LocalizedText("\(word)", ko: korean)
  }
}
