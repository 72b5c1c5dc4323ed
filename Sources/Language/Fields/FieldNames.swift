import Catalog
import Text

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

/// Which names a command lets one assign to.
package struct AssignmentNames {
  private let fields: Bool
  private let others: [String]

  package init(_ kind: ValueKind) {
    switch kind {
    case .assignment(let names): (fields, others) = (true, names)
    case .settings(let names): (fields, others) = (false, names)
    case .text, .number, .decimal, .choice, .field, .fields, .target, .file, .files, .currency, .profile, .setting,
      .snapshot, .command, .expression, .line, .sql, .write, .batch, .rate, .none:
      (fields, others) = (true, [])
    }
  }

  /// Product fields are among the names.
  var takesFields: Bool { fields }

  /// Any name goes, and as often as one likes: the fields of a request.
  var takesAny: Bool { others.contains("*") }

  /// One of the command's own names, not just any.
  func lists(_ name: String) -> Bool { name != "*" && others.contains(name) }

  func holds(_ name: String) -> Bool { others.contains("*") || others.contains(name) }

  /// The shared name of the field, or the name itself where the command knows it.
  func name(_ typed: Assignment, names: FieldNames, command: String) throws(ParseError) -> String {
    if holds(typed.name) { return typed.name }
    guard fields, let field = names.field(typed.name) else { throw unknown(typed, names, command) }
    guard Field.writable.contains(field) || field == .sale else { throw readOnly(field, at: typed.range) }
    return field.rawValue
  }

  /// Every name that can be assigned to, for Tab.
  package func all() -> [String] {
    (fields ? Field.writable.filter { $0 != .images }.map(\.rawValue) : []) + others.filter { $0 != "*" }
  }

  private func unknown(_ typed: Assignment, _ names: FieldNames, _ command: String) -> ParseError {
    let known = others + (fields ? names.all : [])
    let list = all().joined(separator: ", ")
    return ParseError(
      LocalizedText(
        "\(.command(command)) has no field \(.field(typed.name)).",
        ko: "\(.command(command))에 \(.field(typed.name)) 필드는 없습니다."),
      next: Nearest.match(typed.name, in: known).map { name in
        LocalizedText("Did you mean \(.field(name))?", ko: "\(.field(name), .object) 뜻하셨나요?")
      } ?? LocalizedText("There are \(list).", ko: "쓸 수 있는 것은 \(list)입니다."), at: typed.range)
  }

  private func readOnly(_ field: Field, at range: Range<Int>) -> ParseError {
    ParseError(
      LocalizedText("\(.field(field)) is given by the market.", ko: "\(.field(field)) 값은 마켓이 정합니다."),
      next: LocalizedText(
        "Fields to set are \(all().joined(separator: ", ")).", ko: "바꿀 수 있는 필드는 \(all().joined(separator: ", "))입니다."),
      at: range)
  }
}
