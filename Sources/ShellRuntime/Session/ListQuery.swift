import Catalog
import Presentation

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
