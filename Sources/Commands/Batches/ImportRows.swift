import Catalog
import Engine
import Interchange
import Language
import Marketplace
import Networking
import Platform
import Presentation
import Scanning
import Text

/// The drafts of new products from rows without an id, with image files read from the paths in the rows.
final class ImportDrafts {
  private let policy: LimitPolicy
  private let home: String?
  private(set) var remarks: [Message] = []

  init(_ policy: LimitPolicy, home: String?) {
    self.policy = policy
    self.home = home
  }

  func check(_ row: ImportRow, _ problems: inout ImportProblems) { _ = fields(row, &problems) }

  func draft(_ row: ImportRow, _ problems: inout ImportProblems) -> Draft? {
    guard let fields = fields(row, &problems) else { return nil }
    do {
      let pictures = try PictureFiles(
        fields.images ?? [], home: home, counts: policy == .server ? 0...1000 : Limits.pictures
      ).read()
      remarks += pictures.remarks
      return try fields.draft(pictures: pictures.files, policy)
    } catch {
      problems.add(row.line, error)
      return nil
    }
  }

  private func fields(_ row: ImportRow, _ problems: inout ImportProblems) -> DraftFields? {
    var fields = DraftFields()
    do {
      for cell in row.cells where cell.field.isImported || cell.field == .images {
        guard case .text(let text) = cell.value else { continue }
        if cell.field != .sale { try fields.set(cell.field.rawValue, text, policy) }
      }
      try takeSale(row, &fields)
      try fields.requireComplete()
      return fields
    } catch {
      problems.add(row.line, error)
      return nil
    }
  }

  /// Sets the discount from the sale price.
  ///
  /// If both are given, they must agree.
  private func takeSale(_ row: ImportRow, _ fields: inout DraftFields) throws(ParseError) {
    guard let text = row.text(.sale), let price = fields.price else { return }
    let sale = try FieldReader.amount(text, of: .sale)
    guard sale <= price, fields.discount == nil || fields.discount == price - sale else {
      throw ParseError(
        LocalizedText(
          "\(.field(Field.sale)) \(sale) does not equal \(.field(Field.price)) - \(.field(Field.discount))",
          ko: "\(.field(Field.sale)) \(sale)의 값이 \(.field(Field.price)) - \(.field(Field.discount), .with) 다릅니다"))
    }
    fields.discount = price - sale
  }
}

/// The current products that the rows of a file refer to.
struct ImportedProducts {
  /// The number of products from which on the complete list is read instead of each product, to send fewer requests.
  private static let many = 200

  private let ids: [Product.ID]
  private let needsDescription: Bool

  init(_ rows: [ImportRow]) {
    ids = rows.compactMap(\.id)
    needsDescription = rows.contains { row in row.cells.contains { $0.field == .description } }
  }

  /// Returns the products that exist.
  func read(
    from market: Client<Market>, _ session: Session, in context: Context
  ) async throws -> [Product.ID: Product] {
    var found: [Product.ID: Product] = [:]
    if ids.count >= ImportedProducts.many, market.service.edition.supports(.pageSize) {
      found = try await listed(market, session, context)
    }
    let rest = ids.filter { found[$0] == nil }
    let read = try await ProductReader(market, context).find(rest, optional: Set(rest))
    return found.merging(read) { $1 }
  }

  private func listed(
    _ market: Client<Market>, _ session: Session, _ context: Context
  ) async throws -> [Product.ID: Product] {
    let wanted = Set(ids)
    let progress = ScanProgress(session, context)
    defer { progress.clear() }
    var found: [Product.ID: Product] = [:]
    let result = try await Scan(market) { progress.tell($0) }.each { products in
      for product in products where wanted.contains(product.id) && tellsEnough(product) { found[product.id] = product }
      return found.count < wanted.count
    }
    if case .interrupted = result.end { throw CancellationError() }
    return found
  }

  private func tellsEnough(_ product: Product) -> Bool {
    product.name != nil && product.price != nil && product.discount != nil && product.currency != nil
      && product.stock != nil && (!needsDescription || product.description != nil)
  }
}
