import Catalog
import Marketplace
import Networking

/// Reads one product of a market that may be gone.
package struct MarketReader {
  private let market: Client<Market>

  package init(_ market: Client<Market>) { self.market = market }

  /// Nil when the server says there is none.
  package func product(_ id: Product.ID) async throws -> Product? {
    do {
      return try await market.send(ShowProduct(id))
    } catch MarketError.notFound(_) {
      return nil
    }
  }
}
