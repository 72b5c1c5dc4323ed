import MarketAPI
import Networking

/// The keys and types in an edition's responses, from captured ones (see the article Protocol).
struct EditionSchemas {
  let page: ObjectSchema
  let row: ObjectSchema
  let product: ObjectSchema
  /// The possible structures of an error body, one of which must match.
  let errors: [ObjectSchema]
  /// The key of the rows in a page.
  let rows: String
  /// The keys of page number, page size, total, last page and "has next", or `nil` if pages don't contain them.
  let paging: (number: String, size: String, total: String, last: String, next: String)?

  init(_ edition: Edition) {
    switch edition {
    case .camp1, .camp2:
      let row: [String: SchemaType] = [
        "id": .int, "title": .text, "price": .int, "currency": .text, "stock": .int, "discounted_price": .int,
        "thumbnails": .list(of: .text), "registration_date": .unixTime,
      ]
      self.row = ObjectSchema(row, optional: ["discounted_price"])
      product = ObjectSchema(
        row.merging(["descriptions": .text, "images": .list(of: .text)]) { $1 }, optional: ["discounted_price"])
      page = ObjectSchema(["page": .int, "items": .list(of: .object(self.row))])
      errors = [ObjectSchema(["message": .text]), ObjectSchema(["error": .bool, "reason": .text])]
      rows = "items"
      paging = nil
    case .training:
      errors = [EditionSchemas.vendorError]
      row = ObjectSchema(EditionSchemas.vendorRow)
      product = ObjectSchema(
        EditionSchemas.vendorProduct.merging([
          "images": .list(of: .object(ObjectSchema(EditionSchemas.picture.merging(["succeed": .bool]) { $1 })))
        ]) { $1 })
      page = ObjectSchema([
        "page_no": .int, "items_per_page": .int, "total_count": .int, "offset": .int, "limit": .int, "last_page": .int,
        "has_next": .bool, "has_prev": .bool, "pages": .list(of: .object(row)),
      ])
      rows = "pages"
      paging = ("page_no", "items_per_page", "total_count", "last_page", "has_next")
    case .open:
      errors = [EditionSchemas.vendorError]
      row = ObjectSchema(EditionSchemas.vendorRow.merging(["vendorName": .text, "description": .text]) { $1 })
      product = ObjectSchema(EditionSchemas.vendorProduct)
      page = ObjectSchema([
        "pageNo": .int, "itemsPerPage": .int, "totalCount": .int, "offset": .int, "limit": .int, "lastPage": .int,
        "hasNext": .bool, "hasPrev": .bool, "pages": .list(of: .object(row)),
      ])
      rows = "pages"
      paging = ("pageNo", "itemsPerPage", "totalCount", "lastPage", "hasNext")
    }
  }

  /// The keys of an error body, such as `{code, message}`.
  var errorKeys: String {
    errors.map { "{" + $0.keys.keys.sorted().joined(separator: ", ") + "}" }.joined(separator: " or ")
  }

  /// Returns the problems of an error body compared with the most similar structure.
  func errorProblems(of object: JSONObject) -> [String] {
    errors.map { $0.problems(of: object) }.min { $0.count < $1.count } ?? []
  }

  private static let vendorError = ObjectSchema(["code": .int, "message": .text])

  private static let vendorRow: [String: SchemaType] = [
    "id": .int, "vendor_id": .int, "name": .text, "thumbnail": .text, "currency": .text, "price": .number,
    "bargain_price": .number, "discounted_price": .number, "stock": .int, "created_at": .time, "issued_at": .time,
  ]
  private static let picture: [String: SchemaType] = [
    "id": .int, "url": .text, "thumbnail_url": .text, "issued_at": .time,
  ]
  private static let vendorProduct = vendorRow.merging([
    "description": .text, "images": .list(of: .object(ObjectSchema(picture))),
    "vendors": .object(ObjectSchema(["id": .int, "name": .text])),
  ]) { $1 }
}
