import Catalog

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
