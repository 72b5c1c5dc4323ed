import Catalog
import Networking

/// Reads the newest products of an edition that lists the oldest first and sends no count: pages are read backward from
/// the last one.
package struct NewestProducts {
  private let market: Client<MarketService>

  package init(_ market: Client<MarketService>) { self.market = market }

  /// Returns the newest `count` products, newest first.
  ///
  /// - Throws: The client's errors, or `LastPageNotFoundError` if no last page can be found.
  package func fetchNewest(_ count: Int) async throws -> [Product] {
    var number = try await LastPage.find(after: 0) { try await page($0).isEmpty }
    var products: [Product] = []
    while number >= 1, products.count < count {
      products += try await page(number).reversed()
      number -= 1
    }
    return Array(products.prefix(count))
  }

  private func page(_ number: Int) async throws -> [Product] {
    try await market.send(ListProducts(page: number, size: nil, search: nil)).products
  }
}
