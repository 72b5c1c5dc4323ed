import Catalog
import CommandLanguage
import Presentation
import Text

/// The mapping of columns to fields.
enum ImportColumns {
  /// Returns the field of a name.
  ///
  /// - Throws: `ParseError` for an unknown name, with the most similar field.
  static func field(_ name: String, _ names: FieldNameTable) throws(ParseError) -> ProductField {
    if let field = names.field(name) { return field }
    throw ParseError(
      SpellingSuggester.closest(name, in: names.allNames).map { near in
        LocalizedText(
          "unknown field \(.foreign(name)); did you mean \(.field(near))?",
          ko: "알 수 없는 필드: \(.foreign(name)). \(.field(near), .object) 뜻하셨나요?")
      }
        ?? LocalizedText(
          "unknown field \(.foreign(name)); available: \(fieldList(.english))",
          ko: "\(.foreign(name)) 필드는 없습니다. 있는 것은 \(fieldList(.korean))"))
  }

  /// Returns the field of a spreadsheet column, ignoring case and spaces; also by its Korean heading.
  static func column(_ name: String, _ names: FieldNameTable) -> ProductField? {
    let plain = name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: "_")
    return names.field(name) ?? names.field(plain)
  }

  static func skippedColumnsNote(_ columns: [String]) -> Message {
    let shown = columns.prefix(5).joined(separator: ", ") + (columns.count > 5 ? ", …" : "")
    return .note(
      "Ignored columns that are not product fields: \(.foreign(shown))",
      ko: "필드가 아니어서 읽지 않은 열: \(.foreign(shown))")
  }

  static func noKnownColumnError(_ columns: [String]) -> LocalizedText {
    let shown = columns.prefix(3).joined(separator: ", ")
    return LocalizedText(
      "no column is a product field: \(.foreign(shown)); available: \(fieldList(.english))",
      ko: "필드인 열이 없습니다: \(.foreign(shown)). 있는 것은 \(fieldList(.korean))")
  }

  private static func fieldList(_ language: MessageLanguage) -> String {
    ProductField.list(ProductField.allCases, language)
  }

  /// Returns a product id from 1, or `nil` for an invalid one.
  static func id(_ text: String) -> Product.ID? {
    guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text).flatMap { $0 > 0 ? $0 : nil }
  }
}
