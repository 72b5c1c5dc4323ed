import Catalog
import Text

/// Reads pages one after another, several of them ahead, and hands them over in their order.
struct PageWalk: Sendable {
  /// Pages on their way at once. As many more may wait for their turn, so that one that is late holds nobody up.
  let ahead: Int
  let read: @Sendable (Int) async throws -> Page

  /// Goes on from the page after `first` until `take` has had enough or the list ends.
  ///
  /// The end is told by the server's counts where it gives them, and by an empty page where it does not.
  func run(after first: Page, _ take: (Page) async throws -> Bool) async throws {
    guard !PageWalk.isEnd(first) else { return }
    try await withTaskExecutorPreference(globalConcurrentExecutor) { try await walk(after: first, take) }
  }

  private func walk(after first: Page, _ take: (Page) async throws -> Bool) async throws {
    try await withThrowingTaskGroup(of: Page.self) { group in
      var waiting: [Int: Page] = [:]
      var last = PageWalk.last(first)
      var wanted = first.number + 1
      var asked = wanted
      while true {
        while asked - wanted - waiting.count < ahead, asked < wanted + 2 * ahead, last.map({ asked <= $0 }) ?? true {
          group.addTask { [asked] in try await read(asked) }
          asked += 1
        }
        guard wanted < asked else { return }
        guard let page = waiting.removeValue(forKey: wanted) else {
          guard let page = try await group.next() else { return }
          waiting[page.number] = page
          continue
        }
        wanted += 1
        last = PageWalk.last(page) ?? last
        guard try await take(page), !PageWalk.isEnd(page) else {
          group.cancelAll()
          return
        }
      }
    }
  }

  /// The last page by the server's word; one that also says there is a next page is taken at that.
  private static func last(_ page: Page) -> Int? {
    page.last.map { page.hasNext == true ? max($0, page.number + 1) : $0 }
  }

  /// Nothing comes after this page, by its rows and by the word of the server.
  static func isEnd(_ page: Page) -> Bool {
    if page.ids.isEmpty, page.broken.isEmpty { return true }
    return page.hasNext == false && page.last.map { $0 <= page.number } ?? true
  }
}

/// A page by number and size, chosen so that a place in the list lies near its middle: what stood at the edge of one
/// page stands inside another.
struct PageWindow: Hashable, Sendable {
  var number: Int
  var size: Int

  /// Wider from round to round: a list that moved far is caught all the same.
  static func sizes(inRound round: Int) -> ClosedRange<Int> {
    switch round {
    case 0: 50...150
    case 1: 150...300
    case 2: 300...600
    default: 600...1000
    }
  }

  /// The window whose middle is nearest to `position`, rows counted from 0.
  static func around(_ position: Int, sizes: ClosedRange<Int>) -> PageWindow {
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

  /// How many rows stand above its first one; a server may give another number of rows than was asked for.
  func offset(rows: Int?) -> Int { (number - 1) * (rows ?? size) }
}

/// Finds the last page of a list that tells no count: doubles the page until one is empty, then halves the gap.
package enum LastPage {
  /// - Parameters:
  ///   - start: a page that is known to have rows, or 0.
  ///   - isEmpty: reads a page.
  /// - Throws: `EndlessList` when pages have rows for ever, as where a server does not look at the number.
  package static func find(after start: Int, isEmpty: (Int) async throws -> Bool) async throws -> Int {
    var full = start
    var empty = start + 1
    while try await !isEmpty(empty) {
      guard empty < PageLimit.mostBelieved else { throw EndlessList(page: empty) }
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

/// A list with rows on every page that was asked for, further than any market goes: its last page cannot be found.
package struct EndlessList: Error {
  /// The furthest page that was read.
  package let page: Int
}

/// How far a scan reads before it takes a list for one without an end.
///
/// A list grows while it is read, and the number of pages that a server tells first is seldom the last word: a tenth more,
/// and at least ten pages more, are read. Where the server tells nothing, there is a fixed number.
package struct PageLimit: Hashable, Sendable {
  /// Pages where the server does not tell how many there are.
  package static let untold = 10_000
  /// No server is believed that tells more pages than this.
  static let mostBelieved = 100_000
  static let leastSlack = 10

  /// The last page that may be read.
  package let page: Int
  /// What the server told when the scan began.
  package let told: Int?

  /// - Parameters:
  ///   - first: the first page of the list.
  ///   - step: rows a page where the page itself does not tell.
  ///   - asked: what the person allows at least; nil leaves it to the list.
  package init(_ first: Page, step: Int, asked: Int?) {
    told = PageLimit.told(first, step)
    let usual = told.map { $0 + max(PageLimit.leastSlack, $0 / 10) } ?? PageLimit.untold
    page = max(usual, asked ?? 0)
  }

  /// The pages by the server's word: its last page, or its total in pages; nil for a number that cannot be meant.
  private static func told(_ first: Page, _ step: Int) -> Int? {
    let size = max(1, first.size ?? step)
    guard let pages = first.last ?? first.total.map({ ($0 / size) + ($0 % size > 0 ? 1 : 0) }) else { return nil }
    return (1...mostBelieved).contains(pages) ? pages : nil
  }
}

/// A scan that was given up: the list went on past every page that there could be.
package struct UnendingList: Error {
  package let limit: PageLimit

  package init(limit: PageLimit) {
    self.limit = limit
  }
}
