import Catalog
import FileFormats
import MarketAPI
import MarketOperations
import Networking
import ShellRuntime

/// The current products that the rows of a file refer to.
struct CurrentProducts {
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
    var fields: Set<ProductField> = [.name, .price, .discount, .currency, .stock]
    if needsDescription { fields.insert(.description) }
    let found = try await BulkListLookup(market, context).find(ids, telling: fields, session)
    let rest = ids.filter { found[$0] == nil }
    let read = try await ProductReader(market, context).find(rest, optional: Set(rest))
    return found.merging(read) { $1 }
  }
}
