import MarketAPI
import Networking
import Text

/// The keys and types in an edition's responses, from captured ones (see the article Protocol).
struct EditionSchemas {
  let page: JSONShape
  let row: JSONShape
  let product: JSONShape
  /// The possible structures of an error body, one of which must match.
  let errors: [JSONShape]
  /// The key of the rows in a page.
  let rows: String
  /// The keys of page number, page size, total, last page and "has next", or `nil` if pages don't contain them.
  let paging: (number: String, size: String, total: String, last: String, next: String)?

  init(_ edition: Edition) {
    switch edition {
    case .camp1, .camp2:
      let row: [String: JSONShape] = [
        "id": .wholeNumber, "title": .text, "price": .wholeNumber, "currency": .text, "stock": .wholeNumber,
        "discounted_price": .wholeNumber,
        "thumbnails": .list(.text), "registration_date": .number,
      ]
      self.row = .object(row, omittable: ["discounted_price"])
      product = .object(
        row.merging(["descriptions": .text, "images": .list(.text)]) { $1 }, omittable: ["discounted_price"])
      page = .object(["page": .wholeNumber, "items": .list(self.row)])
      errors = [.object(["message": .text]), .object(["error": .bool, "reason": .text])]
      rows = "items"
      paging = nil
    case .training:
      errors = [EditionSchemas.vendorError]
      row = .object(EditionSchemas.vendorRow)
      product = .object(
        EditionSchemas.vendorProduct.merging([
          "images": .list(.object(EditionSchemas.picture.merging(["succeed": .bool]) { $1 }))
        ]) { $1 })
      page = .object([
        "page_no": .wholeNumber, "items_per_page": .wholeNumber, "total_count": .wholeNumber, "offset": .wholeNumber,
        "limit": .wholeNumber, "last_page": .wholeNumber,
        "has_next": .bool, "has_prev": .bool, "pages": .list(row),
      ])
      rows = "pages"
      paging = ("page_no", "items_per_page", "total_count", "last_page", "has_next")
    case .open:
      errors = [EditionSchemas.vendorError]
      row = .object(EditionSchemas.vendorRow.merging(["vendorName": .text, "description": .text]) { $1 })
      product = .object(EditionSchemas.vendorProduct)
      page = .object([
        "pageNo": .wholeNumber, "itemsPerPage": .wholeNumber, "totalCount": .wholeNumber, "offset": .wholeNumber,
        "limit": .wholeNumber, "lastPage": .wholeNumber,
        "hasNext": .bool, "hasPrev": .bool, "pages": .list(row),
      ])
      rows = "pages"
      paging = ("pageNo", "itemsPerPage", "totalCount", "lastPage", "hasNext")
    }
  }

  /// The keys of an error body, such as `{code, message}`.
  var errorKeys: String {
    errors.map { "{" + $0.keys.joined(separator: ", ") + "}" }.joined(separator: " or ")
  }

  /// Returns the problems of an error body compared with the most similar structure.
  func errorProblems(of object: JSONObject) -> [LocalizedText] {
    errors.map { $0.problems(of: object) }.min { $0.count < $1.count } ?? []
  }

  private static let vendorError = JSONShape.object(["code": .wholeNumber, "message": .text])

  private static let vendorRow: [String: JSONShape] = [
    "id": .wholeNumber, "vendor_id": .wholeNumber, "name": .text, "thumbnail": .text, "currency": .text,
    "price": .number,
    "bargain_price": .number, "discounted_price": .number, "stock": .wholeNumber, "created_at": .time,
    "issued_at": .time,
  ]
  private static let picture: [String: JSONShape] = [
    "id": .wholeNumber, "url": .text, "thumbnail_url": .text, "issued_at": .time,
  ]
  private static let vendorProduct = vendorRow.merging([
    "description": .text, "images": .list(.object(picture)),
    "vendors": .object(["id": .wholeNumber, "name": .text]),
  ]) { $1 }
}

extension JSONShape {
  /// Creates the shape of an object with these members in the order of their keys.
  ///
  /// - Parameter omittable: The keys of members that may be missing.
  static func object(_ members: [String: JSONShape], omittable: Set<String> = []) -> JSONShape {
    .object(
      members.sorted { $0.key < $1.key }.map { key, shape in
        (key, omittable.contains(key) ? .omittable(shape) : shape)
      })
  }

  /// The keys of an object.
  var keys: [String] {
    if case .object(let members) = self { members.map(\.key) } else { [] }
  }

  /// Returns what is wrong with an object, or an empty list.
  func problems(of object: JSONObject) -> [LocalizedText] {
    misfits(.object(object)).map { misfit in
      let name = misfit.path.hasPrefix(".") ? String(misfit.path.dropFirst()) : misfit.path
      return switch (misfit.expected, misfit.found) {
      case (_, nil): LocalizedText("\(name) is missing", ko: "\(name): 없음")
      case (.wholeNumber, .number): LocalizedText("\(name) is not a whole number", ko: "\(name): 정수가 아님")
      case (.time, .string): LocalizedText("\(name) is not a time", ko: "\(name): 시각이 아님")
      case (_, let found?): JSONShape.kind(of: found, name)
      }
    }
  }

  private static func kind(of json: JSON, _ name: String) -> LocalizedText {
    switch json {
    case .null: LocalizedText("\(name) is null", ko: "\(name): null")
    case .bool: LocalizedText("\(name) is a boolean", ko: "\(name): 불리언")
    case .number: LocalizedText("\(name) is a number", ko: "\(name): 숫자")
    case .string: LocalizedText("\(name) is text", ko: "\(name): 텍스트")
    case .array: LocalizedText("\(name) is a list", ko: "\(name): 배열")
    case .object: LocalizedText("\(name) is an object", ko: "\(name): 객체")
    case .invalidLiteral: LocalizedText("\(name) is not JSON", ko: "\(name): JSON이 아님")
    }
  }
}
