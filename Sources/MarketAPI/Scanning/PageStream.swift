import Catalog

/// Reads consecutive pages, several of them concurrently, and delivers them in order.
struct PageStream: Sendable {
  /// The maximum number of concurrent requests.
  ///
  /// As many further pages may wait for delivery, so that a slow page doesn't block the others.
  let concurrency: Int
  /// Reads a page by its number, and by the reference to it in the page before, if there is one.
  let fetch: @Sendable (_ number: Int, _ after: String?) async throws -> Page

  /// Continues after `first` until `take` returns false or the list ends.
  ///
  /// The end follows from the server's counts if it sends them, otherwise from an empty page.
  func run(after first: Page, _ take: (Page) async throws -> Bool) async throws {
    guard !PageStream.isLastPage(first) else { return }
    guard first.next == nil else { return try await follow(first, take) }
    try await walk(after: first, take)
  }

  /// Reads pages that refer to each other, one after the other.
  private func follow(_ first: Page, _ take: (Page) async throws -> Bool) async throws {
    var page = first
    while let next = page.next {
      page = try await fetch(page.number + 1, next)
      // A reference to the page itself would never end.
      guard try await take(page), page.next != next else { return }
    }
  }

  private func walk(after first: Page, _ take: (Page) async throws -> Bool) async throws {
    try await withThrowingTaskGroup(of: Page.self) { group in
      var waiting: [Int: Page] = [:]
      var last = PageStream.reportedLastPage(first)
      var wanted = first.number + 1
      var requested = wanted
      while true {
        while requested - wanted - waiting.count < concurrency, requested < wanted + 2 * concurrency,
          last.map({ requested <= $0 }) ?? true
        {
          group.addTask { [requested] in try await fetch(requested, nil) }
          requested += 1
        }
        guard wanted < requested else { return }
        guard let page = waiting.removeValue(forKey: wanted) else {
          guard let page = try await group.next() else { return }
          waiting[page.number] = page
          continue
        }
        wanted += 1
        last = PageStream.reportedLastPage(page) ?? last
        guard try await take(page), !PageStream.isLastPage(page) else {
          group.cancelAll()
          return
        }
      }
    }
  }

  /// Returns the last page according to the server.
  ///
  /// If the page also says that a next page exists, the next page counts.
  private static func reportedLastPage(_ page: Page) -> Int? {
    page.last.map { page.hasNext == true ? max($0, page.number + 1) : $0 }
  }

  /// Returns whether this is the last page, according to its rows and to the server's counts.
  static func isLastPage(_ page: Page) -> Bool {
    if page.ids.isEmpty, page.broken.isEmpty { return true }
    return page.hasNext == false && page.last.map { $0 <= page.number } ?? true
  }
}
