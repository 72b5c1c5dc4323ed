import Catalog
import Networking

/// Reads every product of a market once, even if the list changes in the meantime.
///
/// Pages are read concurrently, duplicates are dropped, and positions where rows may have been missed are read again.
/// The scan stops if a server keeps returning the same products.
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
  package let tell: @Sendable (ScanResult) -> Void

  private static let maxPagesWithoutNewRows = 2

  /// Creates a scan.
  ///
  /// `search` and `size` are used if the edition supports them. `wanted` selects the rows to decode completely; others may
  /// have nothing but an id. `wantedInLongList` replaces it from the second page on, if the server reports at least
  /// `minimumTotal` products. `pages` is a minimum for the page limit, which is otherwise a little above the number of pages
  /// that the server reports. `tell` is called with the progress after every page.
  package init(
    _ market: Client<MarketService>, search: String? = nil, size: Int = ProductScan.defaultSize,
    ahead: Int = ProductScan.defaultPrefetch,
    wanted: RowFilter? = nil, wantedInLongList: (minimumTotal: Int, filter: RowFilter)? = nil, pages: Int? = nil,
    tell: @escaping @Sendable (ScanResult) -> Void = { _ in }
  ) {
    self.market = market
    self.search = search
    self.size = size
    self.ahead = ahead
    self.wanted = wanted
    self.wantedInLongList = wantedInLongList
    self.pages = pages
    self.tell = tell
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
      tell(state.result)
      if state.pagesWithoutNewRows >= ProductScan.maxPagesWithoutNewRows {
        if page.hasNext == true || !page.ids.isEmpty { end = .repeatedPages }
        return false
      }
      guard goesOn, page.number >= limit.page, !PagePrefetcher.isLastPage(page) else { return goesOn }
      end = .pageLimit(limit)
      return false
    }
    guard try await take(first) else { return end }
    let wanted = wantedInLongList.flatMap { first.total ?? 0 >= $0.minimumTotal ? $0.filter : nil } ?? wanted
    try await PagePrefetcher(concurrency: ahead, fetch: { try await page($0, wanted: wanted) }).run(after: first, take)
    return end
  }

  /// The number of rows per page, as far as it is known before the first page.
  package var pageSize: Int { supportsPageSize ? size : 20 }
  var supportsPageSize: Bool { market.service.edition.supports(.pageSize) }

  /// Returns one page of the list by number.
  package func page(_ number: Int, size: Int? = nil) async throws -> Page {
    try await page(number, size: size, wanted: wanted)
  }

  private func page(_ number: Int, size: Int? = nil, wanted: RowFilter?) async throws -> Page {
    var page = try await market.send(
      ListProducts(
        page: number, size: supportsPageSize ? size ?? self.size : nil, search: search, rowFilter: wanted))
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
    guard supportsPageSize, state.result.isNewestFirst, state.result.total != nil else {
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
        tell(state.result)
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
        try await PagePrefetcher(concurrency: ahead, fetch: { try await page($0) }).run(after: first, take)
      }
      if hasEnough { return (false, round > 0) }
      if now == before { return (state.hasExpectedCount, round > 0) }
      before = now
    }
    return (false, true)
  }

  private func pages(_ windows: ArraySlice<PageWindow>) async throws -> [(PageWindow, Page)] {
    var pages: [(PageWindow, Page)] = []
    try await SideBySide.forEachConcurrently(of: windows, atOnce: windows.count) { window in
      (window, try await page(window.number, size: window.size))
    } take: {
      pages.append($0)
    }
    return pages
  }
}
