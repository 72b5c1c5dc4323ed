import Catalog
import Presentation

/// The cached result of a full scan.
///
/// `next` and `prev` page through it without requests.
package struct ScanResultCache: Hashable, Sendable {
  package var query: ListQuery
  /// The products deleted since.
  ///
  /// They aren't shown, but the others keep their positions, so that `next` skips nothing.
  package var deletedIDs: Set<Product.ID> = []
  /// The matches as one listing: filtered, sorted and limited.
  package var listing: Listing

  package init(_ listing: Listing, of query: ListQuery) {
    self.query = query
    self.listing = listing
  }

  /// Returns whether a query selects the same products, on any page.
  package func matches(_ query: ListQuery) -> Bool {
    self.query.search == query.search && self.query.scan == query.scan && query.showsPaged
  }

  /// Returns one page of the matches.
  package func page(_ number: Int, size: Int, like query: ListQuery) -> Listing {
    let all = listing.page.products
    let last = max(1, (all.count + size - 1) / size)
    var shown = listing
    shown.columns = query.columns
    shown.layout = query.layout
    let products =
      number > last ? [] : all.dropFirst((number - 1) * size).prefix(size).filter { !deletedIDs.contains($0.id) }
    shown.page = Page(
      number: number, size: size, total: all.count - deletedIDs.count, last: last, hasNext: number < last,
      hasPrevious: number > 1, products: products, broken: listing.page.broken)
    shown.page.isFiltered = true
    return shown
  }
}

/// The query of the current listing.
///
/// `next` and `prev` change only the page.
package struct ListQuery: Hashable, Sendable {
  package var page = 1
  /// The page size, or `nil` for the setting `page-size`.
  package var size: Int?
  /// The number of rows that fit on the screen when the list was requested.
  ///
  /// It stays the same, so that products don't move to other pages.
  package var screenPageSize: Int?
  /// A Boolean value that indicates that the matches of a full scan are shown page by page.
  package var showsPaged = false
  package var search: String?
  package var columns: [ProductField]?
  package var layout: Listing.Layout = .table
  /// The query for a full scan, or `nil` for one page as the server returns it.
  package var scan: ScanQuery?

  package init() {}
}
