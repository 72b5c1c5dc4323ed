import Catalog
import Networking

/// Reads single products that may not exist.
package struct MarketReader {
  private let market: Client<MarketService>

  package init(_ market: Client<MarketService>) { self.market = market }

  /// Returns the product, or `nil` if the server answers that it doesn't exist.
  package func productIfExists(_ id: Product.ID) async throws -> Product? {
    do {
      return try await market.send(GetProduct(id))
    } catch MarketError.notFound(_) {
      return nil
    }
  }
}
