import Catalog

/// Which words mean which field: the shared names and the names an edition of the API uses itself.
package struct FieldNames: Hashable, Sendable {
  /// The edition's own words; the shared names always mean themselves.
  package var aliases: [String: Field]

  package init(aliases: [String: Field]) { self.aliases = aliases }

  /// The API's own words, where `discounted_price` is what a buyer pays (`.sale`) or the amount taken off (`.discount`).
  package init(discountedPriceIs meaning: Field) {
    self = .neutral
    aliases["discounted_price"] = meaning
    aliases["discountedPrice"] = meaning
  }

  /// The words that mean the same in every edition.
  package static let neutral = FieldNames(aliases: [
    "title": .name, "descriptions": .description, "bargain_price": .sale, "bargainPrice": .sale,
    "vendorId": .vendorID, "vendorName": .vendor, "created_at": .created, "createdAt": .created,
    "registration_date": .created, "issued_at": .modified, "issuedAt": .modified, "thumbnail_id": .thumbnail,
    "thumbnails": .images,
  ])

  /// The words of every edition: for telling a field's name from other text, whatever it means.
  static let everywhere = FieldNames(discountedPriceIs: .discount)

  package func field(_ name: String) -> Field? { Field(rawValue: name) ?? aliases[name] }

  /// Every word that means a field, shared names first.
  package var all: [String] { Field.allCases.map(\.rawValue) + aliases.keys.sorted() }
}
