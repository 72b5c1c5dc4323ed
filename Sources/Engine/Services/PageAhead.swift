import Catalog
import Foundation
import Marketplace

/// A one-slot cache that prefetches the next page while the user reads the current one.
package actor PageAhead {
  /// The key of the cache: everything that determines the content of a page.
  package struct Question: Hashable, Sendable {
    package var address: URL
    package var edition: Edition
    package var page: Int
    package var size: Int
    package var search: String?
  }

  private struct Held {
    var question: Question
    var page: Task<Page, any Error>
    var since: Date
  }
  /// The maximum age of a prefetched page in seconds.
  private static let freshness: TimeInterval = 60

  /// The work that follows the arrival of the page, such as fetching pictures.
  private var following: Task<Void, Never>?
  private var held: Held?
  private let now: @Sendable () -> Date

  package init(now: @escaping @Sendable () -> Date) { self.now = now }

  /// Starts to fetch a page, unless the same page is being fetched or already there.
  package func prepare(
    _ question: Question, _ fetch: @escaping @Sendable () async throws -> Page,
    then follow: @escaping @Sendable (Page) async -> Void = { _ in }
  ) {
    if held?.question == question { return }
    drop()
    let page = Task(operation: fetch)
    held = Held(question: question, page: page, since: now())
    following = Task {
      guard let page = try? await page.value, !Task.isCancelled else { return }
      await follow(page)
    }
  }

  /// Removes and returns the page if it is the prefetched one, otherwise returns `nil`.
  ///
  /// The cache is empty afterwards.
  package func take(_ question: Question) async -> Page? {
    guard let held, held.question == question, now().timeIntervalSince(held.since) < PageAhead.freshness else {
      drop()
      return nil
    }
    self.held = nil
    return await withTaskCancellationHandler {
      try? await held.page.value
    } onCancel: {
      held.page.cancel()
    }
  }

  /// Discards the page, because a write may have changed it.
  package func drop() {
    held?.page.cancel()
    held = nil
    following?.cancel()
    following = nil
  }
}
