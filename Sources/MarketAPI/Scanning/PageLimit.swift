import Catalog

/// The number of pages after which a scan considers a list endless.
///
/// A list may grow while it is read, so the server's first page count is exceeded by a tenth, and by ten pages at
/// least. If the server sends no count, a fixed limit applies.
package struct PageLimit: Hashable, Sendable {
  /// The limit if the server sends no page count.
  package static let defaultWhenUnknown = 10_000
  /// The highest page count that is believed.
  static let maxPlausiblePages = 100_000
  static let minimumSlack = 10

  /// The last page that may be read.
  package let page: Int
  /// The page count that the server sent at the beginning of the scan.
  package let reportedPages: Int?

  /// Creates the limit for a list.
  ///
  /// - Parameters:
  ///   - first: The first page of the list.
  ///   - step: The number of rows per page if the page doesn't contain it.
  ///   - asked: A minimum given by the user, or `nil`.
  package init(_ first: Page, step: Int, asked: Int?) {
    reportedPages = PageLimit.reportedPages(first, step)
    let usual = reportedPages.map { $0 + max(PageLimit.minimumSlack, $0 / 10) } ?? PageLimit.defaultWhenUnknown
    page = max(usual, asked ?? 0)
  }

  /// Returns the page count according to the server (its last page, or its total divided by the page size), or `nil`
  /// for an implausible number.
  private static func reportedPages(_ first: Page, _ step: Int) -> Int? {
    let size = max(1, first.size ?? step)
    guard let pages = first.last ?? first.total.map({ ($0 / size) + ($0 % size > 0 ? 1 : 0) }) else { return nil }
    return (1...maxPlausiblePages).contains(pages) ? pages : nil
  }
}
