import Catalog
import Networking

/// Finds the last page of a list without a count: doubles the page number until a page is empty, then bisects.
package enum LastPage {
  /// Finds the last page.
  ///
  /// - Parameters:
  ///   - start: A page that is known to have rows, or 0.
  ///   - isEmpty: Reads a page and returns whether it is empty.
  /// - Returns: The number of the last page that has rows.
  /// - Throws: `LastPageNotFoundError` if pages never become empty, for example because the server ignores the page number.
  package static func find(after start: Int, isEmpty: (Int) async throws -> Bool) async throws -> Int {
    var full = start
    var empty = start + 1
    while try await !isEmpty(empty) {
      guard empty < PageLimit.maxPlausiblePages else { throw LastPageNotFoundError(page: empty) }
      full = empty
      empty *= 2
    }
    while empty - full > 1 {
      let middle = (full + empty) / 2
      if try await isEmpty(middle) { empty = middle } else { full = middle }
    }
    return full
  }
}

/// The error of searching for the last page when every page has rows, beyond the size of any market.
package struct LastPageNotFoundError: Error {
  /// The highest page number that was read.
  package let page: Int
}

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
    try await market.page(ListProducts(page: number, size: nil, search: nil)).products
  }
}

/// Reads single products that may not exist.
package struct MarketReader {
  private let market: Client<MarketService>

  package init(_ market: Client<MarketService>) { self.market = market }

  /// Returns the product, or `nil` if the server responds that it doesn't exist.
  package func productIfExists(_ id: Product.ID) async throws -> Product? {
    do {
      return try await market.send(GetProduct(id))
    } catch MarketError.notFound(_) {
      return nil
    }
  }
}

extension Client<MarketService> {
  /// Returns a page of the list.
  ///
  /// Of a market whose pages are read in sequence, the pages before it are read first, unless `asked` has the reference to
  /// it.
  ///
  /// - Throws: The client's errors.
  package func page(_ asked: ListProducts) async throws -> Page {
    guard service.dialect.capabilities.isSequential, asked.page > 1, asked.after == nil else {
      return try await send(asked)
    }
    var step = asked
    step.page = 1
    var page = try await send(step)
    while page.number < asked.page {
      guard let next = page.next, next != step.after else {
        return Page(
          number: asked.page, size: page.size, total: page.total, hasNext: false, hasPrevious: true, products: [])
      }
      step.page = page.number + 1
      step.after = next
      page = try await send(step)
    }
    return page
  }
}
