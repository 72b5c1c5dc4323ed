import Foundation
import Text

/// A field of a product, named by the word users type, which is the same in every edition.
///
/// The order of the cases is that of the data formats.
package enum ProductField: String, Hashable, Sendable, Codable, CaseIterable, CustomStringConvertible {
  case id
  case name
  case description
  case price
  case discount
  case sale
  case currency
  case stock
  case vendor
  case vendorID = "vendor_id"
  case created
  case modified
  case thumbnail
  case images

  /// The word that users type.
  package var description: String { rawValue }

  /// The fields that a vendor can set; `images` only in editions that support it.
  package static let writable = allCases.filter(\.isWritable)

  /// The fields that a vendor can set by a value alone, without a file or a reference to one.
  package static let writableValues = writable.filter { $0 != .thumbnail && $0 != .images }

  /// The fields of a new product: ``writableValues`` and the images.
  package static let valuesAndImages = writableValues + [.images]

  /// The fields of ``writableValues`` that have one line.
  package static let singleLineValues = writableValues.filter { $0 != .description }

  /// A Boolean value that indicates whether a vendor can set the field.
  package var isWritable: Bool {
    switch self {
    case .name, .description, .price, .discount, .currency, .stock, .thumbnail, .images: true
    case .id, .sale, .vendor, .vendorID, .created, .modified: false
    }
  }
}

extension ProductField {
  /// The types of values of fields.
  package enum ValueType: Hashable, Sendable {
    case text
    case number
    case amount
    case timestamp
    case pictures
  }

  /// The type of the field's values, which is the case of ``FieldValue``.
  package var valueType: ValueType {
    switch self {
    case .id, .stock, .vendorID: .number
    case .price, .discount, .sale: .amount
    case .name, .description, .currency, .vendor, .thumbnail: .text
    case .created, .modified: .timestamp
    case .images: .pictures
    }
  }

  /// A Boolean value that indicates whether formulas can use the field.
  ///
  /// For pictures it is their number.
  package var isNumber: Bool { valueType != .text && valueType != .timestamp }

  /// A Boolean value that indicates whether conditions compare the field as text.
  package var isText: Bool { valueType == .text && self != .thumbnail }
}

extension ProductField {
  /// The heading that users read.
  ///
  /// In English it is the word they type.
  package var title: LocalizedText {
    let korean: StyledText =
      switch self {
      case .id: "번호"
      case .name: "이름"
      case .description: "설명"
      case .price: "정가"
      case .discount: "할인"
      case .sale: "판매가"
      case .currency: "통화"
      case .stock: "재고"
      case .vendor: "판매자"
      case .vendorID: "판매자 번호"
      case .created: "등록일"
      case .modified: "수정일"
      case .thumbnail: "대표 사진"
      case .images: "사진"
      }
    return LocalizedText(StyledText(rawValue), ko: korean)
  }

  /// Returns the fields as a list for messages: in Korean each word with its heading, which can be typed as well.
  package static func list(_ fields: [ProductField], _ language: MessageLanguage) -> String {
    fields.map { language == .korean ? "\($0.rawValue)(\($0.title.korean.plain))" : $0.rawValue }
      .joined(separator: ", ")
  }
}

/// The value of a field of a product.
package enum FieldValue: Hashable, Sendable, CustomStringConvertible {
  case text(String)
  case number(Int)
  case amount(Amount)
  case timestamp(Timestamp)
  case pictures([Picture])
  /// The pictures by their paths, digests or addresses, as a file states them.
  case references([String])

  /// The value as text that can be typed.
  ///
  /// Pictures are their URLs.
  package var description: String {
    switch self {
    case .text(let text): text
    case .number(let number): String(number)
    case .amount(let amount): amount.description
    case .timestamp(let moment): moment.description
    case .pictures(let pictures): pictures.map(\.url).joined(separator: " ")
    case .references(let references): references.joined(separator: " ")
    }
  }

  /// The value as a number, or `nil` for a text or a time.
  ///
  /// For pictures it is their count.
  package var numericValue: Amount? {
    switch self {
    case .number(let number): Amount(number)
    case .amount(let amount): amount
    case .pictures(let pictures): Amount(pictures.count)
    case .references(let references): Amount(references.count)
    case .text, .timestamp: nil
    }
  }
}

extension Product {
  /// Returns the value of a field, or `nil` if the edition doesn't provide it.
  package subscript(field: ProductField) -> FieldValue? {
    switch field {
    case .id: .number(id)
    case .name: name.map(FieldValue.text)
    case .description: description.map(FieldValue.text)
    case .price: price.map(FieldValue.amount)
    case .discount: discount.map(FieldValue.amount)
    case .sale: sale.map(FieldValue.amount)
    case .currency: currency.map { .text($0.code) }
    case .stock: stock.map(FieldValue.number)
    case .vendor: vendor.map(FieldValue.text)
    case .vendorID: vendorID.map(FieldValue.number)
    case .created: created.map(FieldValue.timestamp)
    case .modified: modified.map(FieldValue.timestamp)
    case .thumbnail: thumbnailURL.map(FieldValue.text)
    case .images: images.map(FieldValue.pictures)
    }
  }

  /// Returns the values of those fields that the edition provides.
  package func values(of fields: [ProductField]) -> [ProductField: FieldValue] {
    var values: [ProductField: FieldValue] = [:]
    for field in fields { values[field] = self[field] }
    return values
  }

  /// Returns a field's value as text that can be typed, or `nil` if the edition doesn't provide it.
  package func text(of field: ProductField) -> String? { self[field]?.description }
}

// MARK: Comparison with the value that was sent
extension FieldValue {
  /// Returns whether the values are equal, ignoring white space around texts, which servers may trim.
  package func isSame(as other: FieldValue) -> Bool {
    guard case .text(let left) = self, case .text(let right) = other else { return self == other }
    return left.trimmingCharacters(in: .whitespacesAndNewlines) == right.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Returns whether both texts are equal in the form in which servers store them: truncated at the first NUL, without
  /// control characters, with runs of white space as one space.
  package func isForm(of wanted: FieldValue) -> Bool {
    guard case .text(let text) = self, case .text(let goal) = wanted else { return false }
    return FieldValue.plain(text) == FieldValue.plain(goal)
  }

  private static func plain(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix { $0 != "\0" }
    let words = scalars.split { $0.properties.isWhitespace }.map { word in
      String(String.UnicodeScalarView(word.filter { $0.properties.generalCategory != .control }))
    }
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Returns whether the value is a reduced form of `wanted`: the beginning of a text, a text in another case, an
  /// amount with fewer decimals.
  package func isReduced(from wanted: FieldValue) -> Bool {
    switch (self, wanted) {
    case (.text(let text), .text(let goal)):
      !text.isEmpty && (goal.hasPrefix(text) || goal.lowercased() == text.lowercased())
    case (.amount(let amount), .amount(let goal)):
      goal.hasFraction && amount - goal < Amount(1) && goal - amount < Amount(1)
        && (0...2).contains { amount.rounded(to: $0) == amount }
    case (.text, _), (.amount, _), (.number, _), (.timestamp, _), (.pictures, _),
      (.references, _):
      false
    }
  }
}
