import Catalog

/// Which words mean which field: the shared names and the names an edition of the API uses itself.
package struct FieldNames: Hashable, Sendable {
  /// The edition's own words; the shared names always mean themselves.
  package var aliases: [String: Field]

  /// Columns of something that is no product; where there are any, no field of a product is meant.
  package private(set) var columns: [String: ColumnKind] = [:]

  package init(aliases: [String: Field]) { self.aliases = aliases }

  /// The words for the columns of a table: conditions on rows that are no products.
  package init(columns: [String: ColumnKind]) {
    aliases = [:]
    self.columns = columns
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
    columns.isEmpty ? Field(rawValue: name) ?? aliases[name] : nil
  }

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
