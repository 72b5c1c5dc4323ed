import Catalog
import Marketplace
import Networking

/// The newest products of an edition that lists the oldest first and tells no count: the last page is found by doubling
/// and halving, then pages are read backwards.
struct NewestProducts {
  private let market: Client<Market>

  init(_ market: Client<Market>) { self.market = market }

  func read(_ count: Int) async throws -> [Product] {
    var full = 0
    var empty = 1
    while try await !page(empty).isEmpty {
      full = empty
      empty *= 2
    }
    while empty - full > 1 {
      let middle = (full + empty) / 2
      if try await page(middle).isEmpty { empty = middle } else { full = middle }
    }
    var products: [Product] = []
    while full >= 1, products.count < count {
      products += try await page(full).reversed()
      full -= 1
    }
    return Array(products.prefix(count))
  }

  private func page(_ number: Int) async throws -> [Product] {
    try await market.send(ListProducts(page: number, size: nil, search: nil)).products
  }
}
