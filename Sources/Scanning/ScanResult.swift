import Catalog
import Language
import Marketplace
import Networking

/// The result of a scan: the counts, and whether everything was read.
package struct ScanResult: Sendable {
  /// The number of pages that had rows, without those read again for verification.
  package var pagesRead = 0
  /// The number of products, each counted once.
  package var productsRead = 0
  /// A Boolean value that indicates whether every product that existed during the whole scan was read.
  ///
  /// It is false if a row couldn't be decoded, if pages overlapped or repeated, or if the scan ended early.
  package var isComplete = false
  /// A Boolean value that indicates that products appeared on several pages although the list didn't change.
  ///
  /// Other products may then be missing from all pages.
  package var hasDuplicatePages = false
  /// The number of rows that couldn't be decoded, including those beyond the limit of `broken`.
  package var brokenCount = 0
  /// A Boolean value that indicates whether the list changed during the scan.
  package var changedDuringScan = false
  /// The number of products according to the server, or `nil` if the edition doesn't send it.
  package var total: Int?
  /// The first hundred rows that couldn't be decoded, with their position in the whole list.
  package var broken: [UndecodableRow] = []
  package var stopReason = ScanEnd.endOfList
  /// A Boolean value that indicates descending ids, so that products found late can be inserted at their position.
  package var isNewestFirst = false
  /// The number of products found only when doubtful positions were read again.
  package var foundOnVerification = 0

  package init() {}
}

extension ScanResult {
  /// Moves products that were found late to their position in the list, if its order is known.
  package func order(_ products: inout [Product]) {
    if foundOnVerification > 0, isNewestFirst { products.sort { $0.id > $1.id } }
  }

  /// Throws if the scan ended early, for callers that need the complete list.
  ///
  /// - Throws: The error of a page, `PageLimitExceededError`, or `CancellationError` after Ctrl-C.
  package func throwIfCutShort() throws {
    switch stopReason {
    case .endOfList, .repeatedPages, .consumerStopped: return
    case .pageLimit(let limit): throw PageLimitExceededError(limit: limit)
    case .interrupted: throw CancellationError()
    case .failed(let error): throw error
    }
  }
}

/// The reason why a scan ended.
package enum ScanEnd: Sendable {
  /// The last page was read.
  case endOfList
  /// The server returned the same products repeatedly.
  case repeatedPages
  /// The receiver of the products requested no more.
  case consumerStopped
  /// The page limit was exceeded.
  ///
  /// The products read before were delivered.
  case pageLimit(PageLimit)
  /// The scan was interrupted by Ctrl-C.
  ///
  /// The products read before were delivered.
  case interrupted
  /// A page couldn't be read.
  ///
  /// The products read before it were delivered.
  case failed(any Error)
}

/// An error thrown by the receiver of the products, wrapped so that it isn't mistaken for a page that couldn't be read.
struct ConsumerError: Error { let cause: any Error }

/// A query that needs the whole list: which products, in which order, how many.
package struct ScanQuery: Hashable, Sendable {
  package var condition: Condition?
  package var order: ProductOrder?
  package var limit: Int?
  /// The minimum number of pages that may be read; `nil` stops a little after the page count that the server sent.
  package var pages: Int?

  package init(
    condition: Condition? = nil, order: ProductOrder? = nil, limit: Int? = nil, pages: Int? = nil
  ) {
    self.condition = condition
    self.order = order
    self.limit = limit
    self.pages = pages
  }
}

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
