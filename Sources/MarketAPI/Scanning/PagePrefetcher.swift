import Catalog

/// Reads consecutive pages, several of them concurrently, and delivers them in order.
struct PagePrefetcher: Sendable {
  /// The maximum number of concurrent requests.
  ///
  /// As many more pages may wait for delivery, so that a slow page doesn't block the others.
  let concurrency: Int
  let fetch: @Sendable (Int) async throws -> Page

  /// Continues after `first` until `take` returns false or the list ends.
  ///
  /// The end follows from the server's counts if it sends them, otherwise from an empty page.
  func run(after first: Page, _ take: (Page) async throws -> Bool) async throws {
    guard !PagePrefetcher.isLastPage(first) else { return }
    try await walk(after: first, take)
  }

  private func walk(after first: Page, _ take: (Page) async throws -> Bool) async throws {
    try await withThrowingTaskGroup(of: Page.self) { group in
      var waiting: [Int: Page] = [:]
      var last = PagePrefetcher.reportedLastPage(first)
      var wanted = first.number + 1
      var asked = wanted
      while true {
        while asked - wanted - waiting.count < concurrency, asked < wanted + 2 * concurrency,
          last.map({ asked <= $0 }) ?? true
        {
          group.addTask { [asked] in try await fetch(asked) }
          asked += 1
        }
        guard wanted < asked else { return }
        guard let page = waiting.removeValue(forKey: wanted) else {
          guard let page = try await group.next() else { return }
          waiting[page.number] = page
          continue
        }
        wanted += 1
        last = PagePrefetcher.reportedLastPage(page) ?? last
        guard try await take(page), !PagePrefetcher.isLastPage(page) else {
          group.cancelAll()
          return
        }
      }
    }
  }

  /// Returns the last page according to the server.
  ///
  /// If the page also says that there is a next one, that is believed.
  private static func reportedLastPage(_ page: Page) -> Int? {
    page.last.map { page.hasNext == true ? max($0, page.number + 1) : $0 }
  }

  /// Returns whether this is the last page, according to its rows and to the server's counts.
  static func isLastPage(_ page: Page) -> Bool {
    if page.ids.isEmpty, page.broken.isEmpty { return true }
    return page.hasNext == false && page.last.map { $0 <= page.number } ?? true
  }
}
