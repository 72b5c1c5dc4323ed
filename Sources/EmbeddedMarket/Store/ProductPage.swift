import GRDB

/// Some products in a row and how many there are in all.
struct ProductPage: Sendable {
  enum Order: String, Sendable {
    case newestFirst = "DESC"
    case oldestFirst = "ASC"
  }

  var products: [ProductRow]
  var total: Int64

  /// `search` is compared with names of products and vendors, without case; empty finds everything.
  static func read(
    offset: Int64, count: Int64, search: String, order: Order = .newestFirst, in database: Database
  ) throws -> ProductPage {
    let fold = Fold.text(search)
    let condition = fold.isEmpty ? "" : "WHERE instr(p.fold, :fold) > 0 OR instr(v.fold, :fold) > 0"
    let needle: StatementArguments = fold.isEmpty ? [:] : ["fold": fold]
    let counting = try database.cachedStatement(sql: "SELECT count(*) FROM \(ProductRow.source) \(condition)")
    let total = try Int64.fetchOne(counting, arguments: needle)
    let reading = try database.cachedStatement(
      sql: """
        SELECT \(ProductRow.columns) FROM \(ProductRow.source) \(condition)
        ORDER BY p.id \(order.rawValue) LIMIT :count OFFSET :offset
        """)
    let rows = try Row.fetchAll(reading, arguments: needle + ["count": count, "offset": offset])
    let pictures = try PictureRow.of(products: rows.map { $0[0] }, in: database)
    let products = try rows.map { row in try ProductRow(row, pictures: pictures[row[0]] ?? []) }
    return ProductPage(products: products, total: total ?? 0)
  }
}
