import Catalog
import Networking
import Text

/// Reads every product of a market once, even if the list changes in the meantime.
///
/// Pages are read concurrently, duplicates are dropped, and positions where rows may have been missed are read again.
/// The scan stops if a server returns the same products again and again.
package struct ProductScan: Sendable {
  /// The default number of concurrent page requests.
  package static let defaultPrefetch = 8
  package static let defaultSize = 100

  package let market: Client<MarketService>
  package let search: String?
  package let size: Int
  package let ahead: Int
  package let wanted: RowFilter?
  private let wantedInLongList: (minimumTotal: Int, filter: RowFilter)?
  package let pages: Int?
  package let report: @Sendable (ScanResult) -> Void

  private static let maxPagesWithoutNewRows = 2

  /// Creates a scan.
  ///
  /// `search` and `size` are used if the edition supports them. `wanted` selects the rows to decode completely; others may
  /// have nothing but an id. `wantedInLongList` replaces it from the second page on, if the server reports at least
  /// `minimumTotal` products. `pages` is a minimum for the page limit, which is otherwise a little above the number of pages
  /// that the server reports. `report` is called with the progress after every page.
  package init(
    _ market: Client<MarketService>, search: String? = nil, size: Int = ProductScan.defaultSize,
    ahead: Int = ProductScan.defaultPrefetch,
    wanted: RowFilter? = nil, wantedInLongList: (minimumTotal: Int, filter: RowFilter)? = nil, pages: Int? = nil,
    report: @escaping @Sendable (ScanResult) -> Void = { _ in }
  ) {
    self.market = market
    self.search = search
    let capabilities = market.service.dialect.capabilities
    self.size = capabilities.scanPageSize ?? size
    self.ahead = capabilities.concurrency(ahead)
    self.wanted = wanted
    self.wantedInLongList = wantedInLongList
    self.pages = pages
    self.report = report
  }

  /// Returns all products in the order of the list.
  ///
  /// - Throws: The error that ended the scan early: of a failed page, `PageLimitExceededError`, or `CancellationError` if it was
  ///   interrupted.
  package func collect() async throws -> (products: [Product], result: ScanResult) {
    var products: [Product] = []
    let result = try await forEachBatch {
      products += $0
      return true
    }
    try result.throwIfCutShort()
    result.order(&products)
    return (products, result)
  }

  /// Delivers products as they arrive, each once, until `take` returns false.
  ///
  /// The result says how the scan ended; failures of the scan itself aren't thrown.
  ///
  /// - Throws: Only errors thrown by `take`.
  package func forEachBatch(_ take: ([Product]) async throws -> Bool) async throws -> ScanResult {
    var state = ScanState()
    var hasEnough = false
    func give(_ products: [Product]) async throws -> Bool {
      guard !hasEnough, !products.isEmpty else { return !hasEnough }
      do { hasEnough = try await !take(products) } catch { throw ConsumerError(cause: error) }
      return !hasEnough
    }
    do {
      let end = try await walk(&state, give)
      if hasEnough { return state.finished(.consumerStopped, complete: false, moved: false) }
      if case .pageLimit = end { return state.finished(end, complete: false, moved: false) }
      let (complete, moved) = try await verifyCompleteness(&state, give)
      if hasEnough { return state.finished(.consumerStopped, complete: false, moved: moved) }
      return state.finished(end, complete: complete, moved: moved)
    } catch let problem as ConsumerError {
      throw problem.cause
    } catch {
      return state.finished(Task.isCancelled ? .interrupted : .failed(error), complete: false, moved: false)
    }
  }

  /// Reads all pages once.
  private func walk(_ state: inout ScanState, _ give: ([Product]) async throws -> Bool) async throws -> ScanEnd {
    let first = try await page(1)
    let limit = PageLimit(first, step: pageSize, asked: pages)
    var end = ScanEnd.endOfList
    func take(_ page: Page) async throws -> Bool {
      let goesOn = try await give(state.take(page, size: page.size ?? pageSize))
      report(state.result)
      if state.pagesWithoutNewRows >= ProductScan.maxPagesWithoutNewRows {
        if page.hasNext == true || !page.ids.isEmpty { end = .repeatedPages }
        return false
      }
      guard goesOn, page.number >= limit.page, !PageStream.isLastPage(page) else { return goesOn }
      end = .pageLimit(limit)
      return false
    }
    try await checkRows(of: first)
    guard try await take(first) else { return end }
    let wanted = wantedInLongList.flatMap { first.total ?? 0 >= $0.minimumTotal ? $0.filter : nil } ?? wanted
    try await PageStream(concurrency: ahead, fetch: { try await page($0, after: $1, wanted: wanted) }).run(
      after: first, take)
    return end
  }

  /// Throws if the first page of a list with offsets has fewer rows than were requested and isn't the last.
  ///
  /// The next page would skip rows.
  private func checkRows(of first: Page) async throws {
    guard let rule = market.service.dialect.marketDescription?.list.page, rule.kind == .offset, first.total == nil,
      let size = first.size
    else { return }
    let rows = first.ids.count + first.broken.count
    guard rows > 0, rows < size, try await !page(2, after: String(rows)).ids.isEmpty else { return }
    let problem = DescriptionMismatch.Problem.capped(rows: rows, requested: size)
    throw MarketError.unreadable(
      status: 200, kind: .mismatch(DescriptionMismatch(problem, at: "limit", describedAt: rule.limitPosition)),
      excerpt: "")
  }

  /// The number of rows per page, as far as it is known before the first page.
  package var pageSize: Int { supportsPageSize ? size : 20 }
  var supportsPageSize: Bool { market.service.dialect.supports(.pageSize) }

  /// Returns one page of the list by number.
  package func page(_ number: Int, size: Int? = nil, after: String? = nil) async throws -> Page {
    try await page(number, size: size, after: after, wanted: wanted)
  }

  private func page(_ number: Int, size: Int? = nil, after: String?, wanted: RowFilter?) async throws -> Page {
    var asked = ListProducts(
      page: number, size: supportsPageSize ? size ?? self.size : nil, search: search, rowFilter: wanted)
    asked.after = after
    var page = try await market.page(asked)
    // The server may send another page number; the requested one is used.
    page.number = number
    return page
  }
}

extension ProductScan {
  /// The maximum number of times that doubtful positions are read again before the scan is reported as incomplete.
  private static let maxVerificationRounds = 8

  /// Returns whether everything was read, after reading again where rows may have been missed between two pages.
  func verifyCompleteness(
    _ state: inout ScanState, _ give: ([Product]) async throws -> Bool
  ) async throws -> (complete: Bool, moved: Bool) {
    // A single page is read at one instant.
    if !market.service.dialect.capabilities.readsWindows, state.isOnlyPage, state.hasExpectedCount {
      return (true, false)
    }
    guard supportsPageSize, market.service.dialect.capabilities.readsWindows, state.result.isNewestFirst,
      state.result.total != nil
    else {
      return try await rereadUntilStable(&state, give)
    }
    // A deletion changes the total and an insertion changes the first page. If neither changed, no row moved to another
    // page.
    if state.isConsistent, state.result.pagesRead <= 1 { return (true, false) }
    let isTheSame = state.compareFirstPage(try await page(1))
    if state.isConsistent, isTheSame { return (true, false) }
    return (try await rereadGaps(&state, give), !isTheSame)
  }

  /// Reads pages around every page boundary until pages overlap everywhere.
  private func rereadGaps(_ state: inout ScanState, _ give: ([Product]) async throws -> Bool) async throws -> Bool {
    for round in 0..<ProductScan.maxVerificationRounds {
      let windows = state.gaps().map { PageWindow.centered($0, sizes: PageWindow.sizes(inRound: round)) }
      if windows.isEmpty { return true }
      var rest = windows[...]
      while !rest.isEmpty {
        for (window, page) in try await pages(rest.prefix(ahead)) {
          guard try await give(state.addVerificationPage(page, offset: window.rowOffset(rows: page.size))) else {
            return false
          }
        }
        report(state.result)
        rest = rest.dropFirst(ahead)
      }
      if !state.result.isNewestFirst { return try await rereadUntilStable(&state, give).complete }
    }
    return state.gaps().isEmpty
  }

  /// Reads the list again until two passes agree, if its order isn't known or the page size can't be chosen.
  private func rereadUntilStable(
    _ state: inout ScanState, _ give: ([Product]) async throws -> Bool
  ) async throws -> (complete: Bool, moved: Bool) {
    var before = state.seen
    // Another pass reads a little further than the first one, because the list may have grown.
    let furthest = state.lastPageNumber + PageLimit.minimumSlack
    for round in 0..<ProductScan.maxVerificationRounds {
      var now = SparseBitSet()
      var hasEnough = false
      func take(_ page: Page) async throws -> Bool {
        let count = now.count
        _ = now.insert(page.ids + page.broken.compactMap(\.id))
        hasEnough = try await !give(
          state.addVerificationPage(page, offset: (page.number - 1) * (page.size ?? pageSize)))
        return !hasEnough && now.count > count && page.number < furthest
      }
      let first = try await page(1)
      _ = state.compareFirstPage(first)
      if try await take(first) {
        try await PageStream(concurrency: ahead, fetch: { try await page($0, after: $1) }).run(after: first, take)
      }
      if hasEnough { return (false, round > 0) }
      if now == before { return (state.hasExpectedCount, round > 0) }
      before = now
    }
    return (false, true)
  }

  private func pages(_ windows: ArraySlice<PageWindow>) async throws -> [(PageWindow, Page)] {
    var pages: [(PageWindow, Page)] = []
    try await BoundedTaskGroup.forEachConcurrently(of: windows, atOnce: windows.count) { window in
      (window, try await page(window.number, size: window.size))
    } take: {
      pages.append($0)
    }
    return pages
  }
}

/// The result of a scan: the counts, and whether everything was read.
package struct ScanResult: Sendable {
  /// The number of pages that had rows, without those read again for verification.
  package var pagesRead = 0
  /// The number of products, each counted once.
  package var productsRead = 0
  /// A Boolean value that indicates whether every product that existed from the start to the end of the scan was read.
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
  /// The first hundred rows that couldn't be decoded, with their position in the list.
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

/// The number of pages after which a scan considers a list endless.
///
/// A list may grow while it is read, so the server's first page count is exceeded by a tenth, and by ten pages at
/// least. If the server sends no count, a fixed limit applies.
package struct PageLimit: Hashable, Sendable {
  /// The limit if the server sends no page count.
  package static let defaultWhenUnknown = 10_000
  /// The highest page count that is believed.
  static let maxPlausiblePages = 100_000
  static let minimumSlack = 10

  /// The last page that may be read.
  package let page: Int
  /// The page count that the server sent at the beginning of the scan.
  package let reportedPages: Int?

  /// Creates the limit for a list.
  ///
  /// - Parameters:
  ///   - first: The first page of the list.
  ///   - step: The number of rows per page if the page doesn't contain it.
  ///   - asked: A minimum given by the user, or `nil`.
  package init(_ first: Page, step: Int, asked: Int?) {
    reportedPages = PageLimit.reportedPages(first, step)
    let usual = reportedPages.map { $0 + max(PageLimit.minimumSlack, $0 / 10) } ?? PageLimit.defaultWhenUnknown
    page = max(usual, asked ?? 0)
  }

  /// Returns the page count according to the server (its last page, or its total divided by the page size), or `nil`
  /// for an implausible number.
  private static func reportedPages(_ first: Page, _ step: Int) -> Int? {
    let size = max(1, first.size ?? step)
    guard let pages = first.last ?? first.total.map({ ($0 / size) + ($0 % size > 0 ? 1 : 0) }) else { return nil }
    return (1...maxPlausiblePages).contains(pages) ? pages : nil
  }
}

/// The error of a scan that exceeded its page limit.
package struct PageLimitExceededError: Error {
  package let limit: PageLimit

  package init(limit: PageLimit) {
    self.limit = limit
  }
}
