import Catalog
import Marketplace
import Networking
import Presentation
import Scanning

/// Finds many products by their ids in the pages of the list, where that asks the server for less than reading each would.
struct ListedProducts {
  /// Fewer than these are read one by one without a thought.
  private static let many = 100
  /// About how many products can be read in the time one page of the list takes.
  private static let readsAPage = 4

  private let context: Context

  init(_ context: Context) { self.context = context }

  /// Those whose rows tell all of `fields`, by id; the others must be read. None where the list is too long to pay.
  ///
  /// A row is what the server said of the product at one instant, as good as an answer of its own: a list that moves
  /// meanwhile can only leave products out.
  func find(
    _ ids: [Product.ID], telling fields: Set<Field>, _ session: inout Session
  ) async throws -> [Product.ID: Product] {
    guard ids.count >= ListedProducts.many else { return [:] }
    let market = try await context.market(&session)
    guard fields.isDisjoint(with: market.service.edition.traits.notInRows) else { return [:] }
    let progress = ScanProgress(session, context)
    defer { progress.clear() }
    let scan = Scan(market) { progress.tell($0) }
    guard let pages = try await scan.page(1).last, pages * ListedProducts.readsAPage < ids.count else { return [:] }
    let wanted = Set(ids)
    var found: [Product.ID: Product] = [:]
    let result = try await scan.each { products in
      for product in products where wanted.contains(product.id) && product.tells(fields) {
        found[product.id] = product
      }
      return found.count < wanted.count
    }
    try result.throwIfCutShort()
    return found
  }
}
