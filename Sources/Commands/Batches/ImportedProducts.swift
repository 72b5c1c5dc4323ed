import Catalog
import Engine
import Marketplace
import Networking
import Scanning
import Text

/// The products that rows of a file name, as they are now.
struct ImportedProducts {
  /// From so many on, reading the whole list is kinder than asking for each.
  private static let many = 200

  private let ids: [Product.ID]
  private let needsDescription: Bool

  init(_ rows: [ImportRow]) {
    ids = rows.compactMap(\.id)
    needsDescription = rows.contains { row in row.cells.contains { $0.field == .description } }
  }

  /// Those that are there.
  func read(_ session: inout Session, in context: Context) async throws -> [Product.ID: Product] {
    var found: [Product.ID: Product] = [:]
    let edition = try await context.market(&session).service.edition
    if ids.count >= ImportedProducts.many, edition.supports(.pageSize) {
      found = try await listed(&session, context)
    }
    let rest = ids.filter { found[$0] == nil }
    let read = try await ProductReader(context).find(rest, optional: Set(rest), &session)
    return found.merging(read) { $1 }
  }

  private func listed(_ session: inout Session, _ context: Context) async throws -> [Product.ID: Product] {
    let wanted = Set(ids)
    let progress = ScanProgress(session, context)
    defer { progress.clear() }
    var found: [Product.ID: Product] = [:]
    let result = try await Scan(context.market(&session)) { progress.tell($0) }.each { products in
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
