import Catalog
import Marketplace
import Networking

extension Scan {
  /// How often doubtful places are looked at before the scan says that it is not complete.
  private static let mostRounds = 8

  /// Whether everything was read, after reading again what may have slipped through between two pages.
  func makeSure(
    _ state: inout ScanState, _ give: ([Product]) async throws -> Bool
  ) async throws -> (complete: Bool, moved: Bool) {
    guard choosesSize, state.result.isNewestFirst, state.result.total != nil else {
      return try await readUntilTheSame(&state, give)
    }
    // A deletion changes the total and an insertion the first page: where neither did, no row changed its page.
    if state.looksStill, state.result.pagesRead <= 1 { return (true, false) }
    let isTheSame = state.compareFirst(try await page(1))
    if state.looksStill, isTheSame { return (true, false) }
    return (try await closeGaps(&state, give), !isTheSame)
  }

  /// Reads around every place where two pages met, until pages overlap everywhere.
  private func closeGaps(_ state: inout ScanState, _ give: ([Product]) async throws -> Bool) async throws -> Bool {
    for round in 0..<Scan.mostRounds {
      let windows = state.gaps().map { PageWindow.around($0, sizes: PageWindow.sizes(inRound: round)) }
      if windows.isEmpty { return true }
      var rest = windows[...]
      while !rest.isEmpty {
        for (window, page) in try await pages(rest.prefix(ahead)) {
          guard try await give(state.takeAgain(page, offset: window.offset(rows: page.size))) else { return false }
        }
        tell(state.result)
        rest = rest.dropFirst(ahead)
      }
      if !state.result.isNewestFirst { return try await readUntilTheSame(&state, give).complete }
    }
    return state.gaps().isEmpty
  }

  /// Where the order of a list is not known or its pages cannot be cut otherwise: reads it again until two readings agree.
  private func readUntilTheSame(
    _ state: inout ScanState, _ give: ([Product]) async throws -> Bool
  ) async throws -> (complete: Bool, moved: Bool) {
    var before = state.seen
    // Another reading goes as far as the first one and a little further, for a list that grew.
    let furthest = state.furthest + PageLimit.leastSlack
    for round in 0..<Scan.mostRounds {
      var now = IDSet()
      var hasEnough = false
      func take(_ page: Page) async throws -> Bool {
        let count = now.count
        for id in page.ids + page.broken.compactMap(\.id) { _ = now.insert(id) }
        hasEnough = try await !give(state.takeAgain(page, offset: (page.number - 1) * (page.size ?? step)))
        return !hasEnough && now.count > count && page.number < furthest
      }
      let first = try await page(1)
      _ = state.compareFirst(first)
      if try await take(first) {
        try await PageWalk(ahead: ahead, read: { try await page($0) }).run(after: first, take)
      }
      if hasEnough { return (false, round > 0) }
      if now == before { return (state.hasAll, round > 0) }
      before = now
    }
    return (false, true)
  }

  private func pages(_ windows: ArraySlice<PageWindow>) async throws -> [(PageWindow, Page)] {
    try await withThrowingTaskGroup(of: (PageWindow, Page).self) { group in
      for window in windows {
        group.addTask { (window, try await page(window.number, size: window.size)) }
      }
      var pages: [(PageWindow, Page)] = []
      for try await page in group { pages.append(page) }
      return pages
    }
  }
}
