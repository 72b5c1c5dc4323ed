import Catalog
import CommandLanguage
import MarketAPI
import Networking
import ShellRuntime

/// The reading of what lists don't contain, for columns that were asked for: the images of products.
package struct ListedDetails {
  private let market: Client<MarketService>

  /// Returns `nil` if the columns that were typed need no details.
  package init?(for columns: [ProductField]?, from market: Client<MarketService>) {
    guard columns?.contains(.images) == true else { return nil }
    self.market = market
  }

  /// Returns products with their images; one that was deleted in the meantime stays as the list showed it.
  ///
  /// - Throws: The client's errors.
  package func completed(_ products: [Product], in scope: CommandScope) async throws -> [Product] {
    let ids = products.filter { $0.images == nil }.map(\.id)
    guard !ids.isEmpty else { return products }
    let found = try await ProductReader(market, scope).find(ids, optional: Set(ids))
    return products.map { product in
      guard product.images == nil else { return product }
      var product = product
      product.images = found[product.id]?.images
      return product
    }
  }
}
