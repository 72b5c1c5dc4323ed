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
  /// The headings of those columns, if they differ from the names.
  private var columnTitles: [String: String] = [:]

  package init(aliases: [String: ProductField]) { self.aliases = aliases }

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

  /// The Korean headings, also with the space of a two-word heading removed or replaced by `_`.
  private static let titles: [String: ProductField] = {
    var titles: [String: ProductField] = [:]
    for field in ProductField.allCases {
      let title = field.title.korean.plain
      for spelling in [title, title.replacing(" ", with: ""), title.replacing(" ", with: "_")] {
        titles[spelling] = field
      }
    }
    return titles
  }()

  /// All words for fields, shared names first.
  package var allNames: [String] {
    columns.isEmpty ? ProductField.allCases.map(\.rawValue) + aliases.keys.sorted() : columns.keys.sorted()
  }
}
