import Catalog
import Text

/// Reads pages one after another, several of them ahead, and hands them over in their order.
struct PageWalk: Sendable {
  /// Pages on their way or waiting for their turn: bounds memory and politeness alike.
  let ahead: Int
  let read: @Sendable (Int) async throws -> Page

  /// Goes on from the page after `first` until `take` has had enough or the list ends.
  ///
  /// The end is told by the server's counts where it gives them, and by an empty page where it does not.
  func run(after first: Page, _ take: (Page) async throws -> Bool) async throws {
    guard !PageWalk.isEnd(first) else { return }
    try await withThrowingTaskGroup(of: Page.self) { group in
      var waiting: [Int: Page] = [:]
      var last = PageWalk.last(first)
      var wanted = first.number + 1
      var asked = wanted
      while true {
        while asked < wanted + ahead, last.map({ asked <= $0 }) ?? true {
          group.addTask { [asked] in try await read(asked) }
          asked += 1
        }
        guard wanted < asked else { return }
        while waiting[wanted] == nil {
          guard let page = try await group.next() else { return }
          waiting[page.number] = page
        }
        guard let page = waiting.removeValue(forKey: wanted) else { return }
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
