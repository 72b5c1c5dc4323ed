import Catalog
import Language
import Text

/// Which column of a file is which field.
enum ImportColumns {
  /// - Throws: `ParseError` for a word that is no field, with the field that was probably meant.
  static func field(_ name: String, _ names: FieldNames) throws(ParseError) -> Field {
    if let field = names.field(name) { return field }
    throw ParseError(
      Nearest.match(name, in: names.all).map { near in
        Wording(
          "there is no field \(.foreign(name)); did you mean \(.field(near))?",
          ko: "\(.foreign(name)) 필드는 없습니다. \(.field(near), .object) 뜻하셨나요?")
      }
        ?? Wording(
          "there is no field \(.foreign(name)); there are \(known)", ko: "\(.foreign(name)) 필드는 없습니다. 있는 것은 \(known)"))
  }

  private static var known: String { Field.allCases.map(\.rawValue).joined(separator: ", ") }

  /// An id from 1; nil for what is none.
  static func id(_ text: String) -> Product.ID? {
    guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text).flatMap { $0 > 0 ? $0 : nil }
  }
}
