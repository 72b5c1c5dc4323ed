import Catalog
import Marketplace
import Networking

/// Reads one product of a market that may be gone.
package struct MarketReader {
  private let market: Client<Market>

  package init(_ market: Client<Market>) { self.market = market }

  /// Nil when the server says there is none.
  ///
  /// - Throws: what the client throws, but for a product that is not there.
  package func product(_ id: Product.ID) async throws -> Product? {
    do {
      return try await market.send(ShowProduct(id))
    } catch MarketError.notFound(_) {
      return nil
    }
  }
}

/// The newest products of an edition that lists the oldest first and tells no count: its pages are read backwards from
/// the last one.
package struct NewestProducts {
  private let market: Client<Market>

  package init(_ market: Client<Market>) { self.market = market }

  /// So many of the newest, the newest first.
  ///
  /// - Throws: what the client throws; `EndlessList` where no last page can be found.
  package func read(_ count: Int) async throws -> [Product] {
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
