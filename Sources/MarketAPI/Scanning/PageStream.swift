import Catalog

/// Reads consecutive pages, several of them concurrently, and delivers them in order.
struct PageStream: Sendable {
  /// The maximum number of concurrent requests.
  ///
  /// As many more pages may wait for delivery, so that a slow page doesn't block the others.
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
      var asked = wanted
      while true {
        while asked - wanted - waiting.count < concurrency, asked < wanted + 2 * concurrency,
          last.map({ asked <= $0 }) ?? true
        {
          group.addTask { [asked] in try await fetch(asked, nil) }
          asked += 1
        }
        guard wanted < asked else { return }
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

/// A page number and a page size, chosen so that a given position in the list is near the middle of the page.
///
/// Rows at the edge of one page are then inside another.
struct PageWindow: Hashable, Sendable {
  var number: Int
  var size: Int

  /// Returns the page sizes to choose from.
  ///
  /// They grow from round to round, so that rows are found even if the list moved far.
  static func sizes(inRound round: Int) -> ClosedRange<Int> {
    switch round {
    case 0: 50...150
    case 1: 150...300
    case 2: 300...600
    default: 600...1000
    }
  }

  /// Returns the window whose middle is nearest to `position`, a row counted from 0.
  static func centered(_ position: Int, sizes: ClosedRange<Int>) -> PageWindow {
    var best = PageWindow(number: 1, size: sizes.upperBound)
    var distance = Int.max
    for size in sizes {
      let off = abs(position % size - size / 2)
      guard off < distance else { continue }
      best = PageWindow(number: position / size + 1, size: size)
      distance = off
    }
    return best
  }

  /// Returns the number of rows above the first row of the window.
  ///
  /// A server may use another page size than the requested one.
  func rowOffset(rows: Int?) -> Int { (number - 1) * (rows ?? size) }
}
