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
final class NewProductRows {
  private let policy: LimitPolicy
  private let home: String?
  private(set) var remarks: [Message] = []

  init(_ policy: LimitPolicy, home: String?) {
    self.policy = policy
    self.home = home
  }

  func check(_ row: ImportRow, _ problems: inout ImportProblems) { _ = fields(row, &problems) }

  func draft(_ row: ImportRow, _ problems: inout ImportProblems) -> ProductDraft? {
    guard let fields = fields(row, &problems) else { return nil }
    do {
      let pictures = try PictureUploadLoader(
        fields.images ?? [], home: home, counts: policy == .server ? 0...1000 : DocumentedLimits.pictures
      ).read()
      remarks += pictures.remarks
      return try fields.draft(pictures: pictures.files, policy)
    } catch {
      problems.add(row.line, error)
      return nil
    }
  }

  private func fields(_ row: ImportRow, _ problems: inout ImportProblems) -> NewProductFields? {
    var fields = NewProductFields()
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
  private func takeSale(_ row: ImportRow, _ fields: inout NewProductFields) throws(ParseError) {
    guard let text = row.text(.sale), let price = fields.price else { return }
    let sale = try FieldValueParser.amount(text, of: .sale)
    guard sale <= price, fields.discount == nil || fields.discount == price - sale else {
      throw ParseError(
        LocalizedText(
          "\(.field(ProductField.sale)) \(sale) does not equal \(.field(ProductField.price)) - \(.field(ProductField.discount))",
          ko: "\(.field(ProductField.sale)) \(sale)의 값이 \(.field(ProductField.price)) - \(.field(ProductField.discount), .with) 다릅니다"))
    }
    fields.discount = price - sale
  }
}

/// The current products that the rows of a file refer to.
struct CurrentProducts {
  /// The number of products from which on the complete list is read instead of each product, to send fewer requests.
  private static let minimumForScan = 200

  private let ids: [Product.ID]
  private let needsDescription: Bool

  init(_ rows: [ImportRow]) {
    ids = rows.compactMap(\.id)
    needsDescription = rows.contains { row in row.cells.contains { $0.field == .description } }
  }

  /// Returns the products that exist.
  func read(
    from market: Client<MarketService>, _ session: Session, in context: CommandContext
  ) async throws -> [Product.ID: Product] {
    var found: [Product.ID: Product] = [:]
    if ids.count >= CurrentProducts.minimumForScan, market.service.edition.supports(.pageSize) {
      found = try await listed(market, session, context)
    }
    let rest = ids.filter { found[$0] == nil }
    let read = try await ProductReader(market, context).find(rest, optional: Set(rest))
    return found.merging(read) { $1 }
  }

  private func listed(
    _ market: Client<MarketService>, _ session: Session, _ context: CommandContext
  ) async throws -> [Product.ID: Product] {
    let wanted = Set(ids)
    let progress = ScanProgress(session, context)
    defer { progress.clear() }
    var found: [Product.ID: Product] = [:]
    let result = try await ProductScan(market) { progress.update($0) }.forEachBatch { products in
      for product in products where wanted.contains(product.id) && tellsEnough(product) { found[product.id] = product }
      return found.count < wanted.count
    }
    if case .interrupted = result.stopReason { throw CancellationError() }
    return found
  }

  private func tellsEnough(_ product: Product) -> Bool {
    product.name != nil && product.price != nil && product.discount != nil && product.currency != nil
      && product.stock != nil && (!needsDescription || product.description != nil)
  }
}
