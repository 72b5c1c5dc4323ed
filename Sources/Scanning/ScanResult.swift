import Catalog
import Language
import Marketplace
import Networking

/// What a scan read, and whether that was everything.
package struct ScanResult: Sendable {
  /// Pages that held something, without those read again to make sure.
  package var pagesRead = 0
  /// Products, each counted once.
  package var productsRead = 0
  /// Every product that was there throughout the scan has been read for certain. False where a row could not be read,
  /// pages overlapped or came again, or the scan was cut short.
  package var complete = false
  /// The same products stood on several pages although the list did not move: other products may stand on none.
  package var overlaps = false
  /// Rows that could not be read, also those beyond the ones in `broken`.
  package var brokenCount = 0
  /// The list changed while it was read.
  package var moved = false
  /// How many products the server says there are; nil where the edition does not tell.
  package var total: Int?
  /// Rows that could not be read, by their place in the whole list; the first hundred.
  package var broken: [BrokenRow] = []
  package var end = ScanEnd.reached
  /// Ids fall from page to page, so that products found late have a place to go.
  package var isNewestFirst = false
  /// Products that were found only when doubtful places were read again.
  package var foundLate = 0

  package init() {}
}

extension ScanResult {
  /// Puts what was found late where the list has it, as far as the list tells.
  package func order(_ products: inout [Product]) {
    if foundLate > 0, isNewestFirst { products.sort { $0.id > $1.id } }
  }

  /// For whoever cannot do with a part.
  ///
  /// - Throws: what cut the scan short: the error of a page, `UnendingList`, `CancellationError` for Ctrl-C.
  package func throwIfCutShort() throws {
    switch end {
    case .reached, .repeated, .enough: return
    case .unending(let limit): throw UnendingList(limit: limit)
    case .interrupted: throw CancellationError()
    case .failed(let error): throw error
    }
  }
}

/// Why a scan ended.
package enum ScanEnd: Sendable {
  /// The last page was read.
  case reached
  /// The server brought the same products again and again.
  case repeated
  /// Whoever took the products had enough.
  case enough
  /// More pages came than there could be; what came until then was handed over.
  case unending(PageLimit)
  /// Ctrl-C; what came until then was handed over.
  case interrupted
  /// A page could not be read; what came before it was handed over.
  case failed(any Error)
}

/// What the taker of a scan threw, so that it is not mistaken for a page that could not be read.
struct ScanProblem: Error { let cause: any Error }

/// What is asked of all products together: which, in what order, how many.
package struct ScanQuery: Hashable, Sendable {
  package var condition: Expression?
  package var order: ProductOrder?
  package var limit: Int?
  /// Pages that may be read at least; nil stops a little after the last page that the server told.
  package var pages: Int?

  package init(
    condition: Expression? = nil, order: ProductOrder? = nil, limit: Int? = nil, pages: Int? = nil
  ) {
    self.condition = condition
    self.order = order
    self.limit = limit
    self.pages = pages
  }
}

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
