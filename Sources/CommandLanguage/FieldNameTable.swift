import Catalog
import Text

/// The words for fields: the shared names, the names in an edition of the API, and the headings of tables in both
/// languages.
package struct FieldNameTable: Hashable, Sendable {
  /// The edition's own names.
  ///
  /// The shared names always take precedence.
  package var aliases: [String: ProductField]

  /// The columns of rows that aren't products.
  ///
  /// If there are any, no word is a product field.
  package private(set) var columns: [String: ColumnKind] = [:]
  /// The headings of `columns`, if they differ from the names.
  private var columnTitles: [String: String] = [:]

  /// A Boolean value that indicates that the columns are numbers of a formula.
  private(set) var areVariables = false

  package init(aliases: [String: ProductField]) { self.aliases = aliases }

  /// Creates the names for formulas over numbers that aren't of a product.
  package init(variables: Set<String>) {
    aliases = [:]
    columns = Dictionary(variables.map { ($0, .number) }) { $1 }
    areVariables = true
  }

  /// Creates the names for conditions on rows that aren't products.
  package init(columns: [String: ColumnKind], titles: [String: String] = [:]) {
    aliases = [:]
    self.columns = columns
    columnTitles = titles
  }

  /// Creates the names of an edition in which `discounted_price` is the sale price (`.sale`) or the amount subtracted
  /// (`.discount`).
  package init(discountedPriceIs meaning: ProductField) {
    self = .editionIndependent
    for word in FieldNameTable.ambiguous { aliases[word] = meaning }
  }

  private static let ambiguous = ["discounted_price", "discountedPrice"]

  /// Returns whether a text contains a word whose meaning differs between editions.
  package static func dependsOnEdition(_ text: String) -> Bool { ambiguous.contains { text.contains($0) } }

  /// The words that have the same meaning in every edition.
  package static let editionIndependent = FieldNameTable(aliases: [
    "title": .name, "descriptions": .description, "bargain_price": .sale, "bargainPrice": .sale,
    "vendorId": .vendorID, "vendorName": .vendor, "created_at": .created, "createdAt": .created,
    "registration_date": .created, "issued_at": .modified, "issuedAt": .modified, "thumbnail_id": .thumbnail,
    "thumbnails": .images,
  ])

  /// The words of every edition, for distinguishing field names from other text regardless of their meaning.
  static let allEditions = FieldNameTable(discountedPriceIs: .discount)

  /// Returns the field of a word, or `nil` for other words and for names of columns.
  package func field(_ name: String) -> ProductField? {
    columns.isEmpty ? ProductField(rawValue: name) ?? aliases[name] ?? FieldNameTable.titles[name] : nil
  }

  /// Returns the column of a name or heading, or `nil` for other words and if there are no columns.
  package func column(_ name: String) -> String? {
    if columns[name] != nil { return name }
    return columnTitles[name].flatMap { columns[$0] == nil ? nil : $0 }
  }

  /// The words that Korean price lists have in place of the headings.
  private static let koreanWords: [ProductField: [String]] = [
    .id: ["상품 번호", "상품 id"],
    .name: ["상품명", "상품 이름", "제품명", "제품 이름", "품명"],
    .description: ["상품 설명", "상세 설명", "제품 설명"],
    .price: ["가격", "상품 가격", "정상가", "정상 가격", "소비자가", "원가격"],
    .discount: ["할인액", "할인 금액"],
    .sale: ["판매 가격", "할인가", "할인 가격", "할인된 가격"],
    .currency: ["통화 코드", "화폐"],
    .stock: ["재고량", "재고 수량", "재고수"],
    .vendor: ["판매자명", "판매자 이름"],
    .created: ["등록 일시", "등록 날짜"],
    .modified: ["수정 일시", "수정 날짜"],
    .thumbnail: ["대표 이미지", "썸네일"],
    .images: ["이미지", "상품 이미지", "상품 사진"],
  ]

  /// The Korean headings and words, also with the space of two words removed or replaced by `_`.
  private static let titles: [String: ProductField] = {
    var titles: [String: ProductField] = [:]
    for field in ProductField.allCases {
      for title in [field.title.korean.plain] + koreanWords[field, default: []] {
        for spelling in [title, title.replacing(" ", with: ""), title.replacing(" ", with: "_")] {
          titles[spelling] = field
        }
      }
    }
    return titles
  }()

  /// All words for fields, shared names first.
  package var allNames: [String] {
    columns.isEmpty ? ProductField.allCases.map(\.rawValue) + aliases.keys.sorted() : columns.keys.sorted()
  }
}

/// The type by which the values of a column are compared.
package enum ColumnKind: Hashable, Sendable {
  case text
  case number
  case time
}
