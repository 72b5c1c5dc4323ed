import Catalog
import Foundation
import Marketplace

/// The page after the one a person reads, fetched meanwhile: one, never more.
package actor PageAhead {
  /// What a page is asked for with; another question has another answer.
  package struct Question: Hashable, Sendable {
    package var address: URL
    package var edition: Edition
    package var page: Int
    package var size: Int
    package var search: String?
  }

  /// Behind a reference: where nothing is held, the runtime need not be asked what a task of pages is.
  private indirect enum Held { case page(Question, Task<Page, any Error>, since: Date) }
  /// A page that waited longer is asked for anew.
  private static let freshness: TimeInterval = 60

  /// What is done with the page when it has come, before anybody asks for it.
  private var following: Task<Void, Never>?
  private var held: Held?
  private let now: @Sendable () -> Date

  package init(now: @escaping @Sendable () -> Date) { self.now = now }

  /// Begins to fetch, unless that very page is on its way or there already.
  package func prepare(
    _ question: Question, _ fetch: @escaping @Sendable () async throws -> Page,
    then follow: @escaping @Sendable (Page) async -> Void = { _ in }
  ) {
    if case .page(question, _, _)? = held { return }
    drop()
    let page = Task(operation: fetch)
    held = .page(question, page, since: now())
    following = Task {
      guard let page = try? await page.value, !Task.isCancelled else { return }
      await follow(page)
    }
  }

  /// The page when it is the one that was fetched; nil otherwise. Nothing is held afterwards.
  package func take(_ question: Question) async -> Page? {
    guard case .page(question, let page, let since)? = held, now().timeIntervalSince(since) < PageAhead.freshness else {
      drop()
      return nil
    }
    held = nil
    return await withTaskCancellationHandler {
      try? await page.value
    } onCancel: {
      page.cancel()
    }
  }

  /// A write may have changed what it holds.
  package func drop() {
    if case .page(_, let page, _)? = held { page.cancel() }
    held = nil
    following?.cancel()
    following = nil
  }
}
