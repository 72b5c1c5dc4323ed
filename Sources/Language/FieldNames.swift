import Catalog
import Text

/// The words that mean fields: the shared names, the names an edition of the API uses itself, and the headings of tables in
/// both languages.
package struct FieldNames: Hashable, Sendable {
  /// The edition's own words; the shared names always mean themselves.
  package var aliases: [String: Field]

  /// Columns of something that is no product; where there are any, no field of a product is meant.
  package private(set) var columns: [String: ColumnKind] = [:]
  /// The headings of those columns, where they are other words.
  private var columnTitles: [String: String] = [:]

  package init(aliases: [String: Field]) { self.aliases = aliases }

  /// The words for the columns of a table: conditions on rows that are no products.
  package init(columns: [String: ColumnKind], titles: [String: String] = [:]) {
    aliases = [:]
    self.columns = columns
    columnTitles = titles
  }

  /// The API's own words, where `discounted_price` is what a buyer pays (`.sale`) or the amount taken off (`.discount`).
  package init(discountedPriceIs meaning: Field) {
    self = .neutral
    for word in FieldNames.ambiguous { aliases[word] = meaning }
  }

  private static let ambiguous = ["discounted_price", "discountedPrice"]

  /// Whether a text holds a word that editions give different meanings.
  package static func dependsOnEdition(_ text: String) -> Bool { ambiguous.contains { text.contains($0) } }

  /// The words that mean the same in every edition.
  package static let neutral = FieldNames(aliases: [
    "title": .name, "descriptions": .description, "bargain_price": .sale, "bargainPrice": .sale,
    "vendorId": .vendorID, "vendorName": .vendor, "created_at": .created, "createdAt": .created,
    "registration_date": .created, "issued_at": .modified, "issuedAt": .modified, "thumbnail_id": .thumbnail,
    "thumbnails": .images,
  ])

  /// The words of every edition: for telling a field's name from other text, whatever it means.
  static let everywhere = FieldNames(discountedPriceIs: .discount)

  /// The field that a word means here; nil for other words, and always where columns are meant.
  package func field(_ name: String) -> Field? {
    columns.isEmpty ? Field(rawValue: name) ?? aliases[name] ?? FieldNames.titles[name] : nil
  }

  /// The column that a word means here, by its own name or its heading; nil for other words, and where fields are meant.
  package func column(_ name: String) -> String? {
    if columns[name] != nil { return name }
    return columnTitles[name].flatMap { columns[$0] == nil ? nil : $0 }
  }

  /// The Korean headings, also without the blank of a heading of two words or with `_` for it.
  private static let titles: [String: Field] = {
    var titles: [String: Field] = [:]
    for field in Field.allCases {
      let title = field.title.korean.plain
      for spelling in [title, title.replacing(" ", with: ""), title.replacing(" ", with: "_")] {
        titles[spelling] = field
      }
    }
    return titles
  }()

  /// Every word that means a field, shared names first.
  package var all: [String] {
    columns.isEmpty ? Field.allCases.map(\.rawValue) + aliases.keys.sorted() : columns.keys.sorted()
  }
}

/// What the values of a column are compared as.
package enum ColumnKind: Hashable, Sendable {
  case text
  case number
  case time
}
