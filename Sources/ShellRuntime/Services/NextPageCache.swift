import Catalog
import Foundation
import MarketAPI

/// A one-slot cache that prefetches the next page while the user reads the current one.
package actor NextPageCache {
  /// The key of the cache: everything that determines the content of a page.
  package struct Key: Hashable, Sendable {
    package var market: MarketIdentity
    package var dialect: Dialect
    package var page: Int
    package var size: Int
    package var search: String?

    package init(market: MarketIdentity, dialect: Dialect, page: Int, size: Int, search: String?) {
      self.market = market
      self.dialect = dialect
      self.page = page
      self.size = size
      self.search = search
    }
  }

  private struct Entry {
    var key: Key
    package var page: Task<Page, any Error>
    var since: Date
  }
  /// The maximum age of a prefetched page in seconds.
  private static let freshness: TimeInterval = 60

  /// The work that follows the arrival of the page, such as fetching pictures.
  private var completion: Task<Void, Never>?
  private var entry: Entry?
  private let now: @Sendable () -> Date

  package init(now: @escaping @Sendable () -> Date) { self.now = now }

  /// Starts to fetch a page, unless the same page is being fetched or already there.
  package func prefetch(
    _ key: Key, _ fetch: @escaping @Sendable () async throws -> Page,
    then follow: @escaping @Sendable (Page) async -> Void = { _ in }
  ) {
    if entry?.key == key { return }
    invalidate()
    let page = Task(operation: fetch)
    entry = Entry(key: key, page: page, since: now())
    completion = Task {
      guard let page = try? await page.value, !Task.isCancelled else { return }
      await follow(page)
    }
  }

  /// Removes and returns the page if it is the prefetched one, otherwise returns `nil`.
  ///
  /// The cache is empty afterwards.
  package func consume(_ key: Key) async -> Page? {
    guard let entry, entry.key == key, now().timeIntervalSince(entry.since) < NextPageCache.freshness else {
      invalidate()
      return nil
    }
    self.entry = nil
    return await withTaskCancellationHandler {
      try? await entry.page.value
    } onCancel: {
      entry.page.cancel()
    }
  }

  /// Discards the page, because a write may have changed it.
  package func invalidate() {
    entry?.page.cancel()
    entry = nil
    completion?.cancel()
    completion = nil
  }
}
