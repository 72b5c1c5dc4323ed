import Catalog
import FileFormats
import MarketAPI
import MarketOperations
import Networking
import ShellRuntime

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
