import Catalog
import Marketplace
import Networking

/// Reads every page of a market; a page that brings nothing new ends the walk.
struct Scan {
  private let market: Client<Market>

  init(_ market: Client<Market>) { self.market = market }

  func all() async throws -> (pages: Int, products: [Product]) {
    var seen = Set<Product.ID>()
    var products: [Product] = []
    var number = 1
    while true {
      let page = try await market.send(ListProducts(page: number, size: 100, search: nil))
      let fresh = page.products.filter { seen.insert($0.id).inserted }
      products += fresh
      guard !fresh.isEmpty else { return (number - 1, products) }
      guard page.hasNext ?? true else { return (number, products) }
      number += 1
    }
  }

  /// The newest products of an edition that lists the oldest first and tells no count: the last page is found by
  /// doubling and halving, then pages are read backwards.
  func newest(_ count: Int) async throws -> [Product] {
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
