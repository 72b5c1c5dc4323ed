import Catalog
import MarketAPI
import Networking
import ShellRuntime

/// Finds many products by id in the pages of the list, if that needs fewer requests than reading each one.
package struct BulkListLookup {
  /// The number of products below which they are read one by one.
  private static let minimumForScan = 100
  /// The approximate number of products that can be read in the time of one page of the list.
  private static let readsPerPage = 4

  private let market: Client<MarketService>
  private let context: CommandContext

  package init(_ market: Client<MarketService>, _ context: CommandContext) {
    self.market = market
    self.context = context
  }

  /// Returns the products whose rows contain all of `fields`, by id; the others must be read.
  ///
  /// If the list is too long for that, the result is empty.
  ///
  /// A row shows a product at one instant, like a response of its own. If the list changes during the scan, products
  /// can only be missing.
  ///
  /// - Parameters:
  ///   - ids: The ids.
  ///   - fields: The required fields.
  ///   - session: The session.
  /// - Returns: The products by id.
  /// - Throws: The client's errors.
  package func find(
    _ ids: [Product.ID], telling fields: Set<ProductField>, _ session: Session
  ) async throws -> [Product.ID: Product] {
    guard ids.count >= BulkListLookup.minimumForScan else { return [:] }
    guard fields.isDisjoint(with: market.service.edition.capabilities.fieldsMissingInLists) else { return [:] }
    let scan = MarketScan(market, session, context)
    guard let pages = try await scan.scan.page(1).last, pages * BulkListLookup.readsPerPage < ids.count else {
      return [:]
    }
    let wanted = Set(ids)
    var found: [Product.ID: Product] = [:]
    let result = try await scan.forEachBatch { products in
      for product in products where wanted.contains(product.id) && product.hasValues(fields) {
        found[product.id] = product
      }
      return found.count < wanted.count
    }
    try result.throwIfCutShort()
    return found
  }
}
