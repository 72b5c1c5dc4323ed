import Catalog
import Presentation
import Scanning

/// What the current listing asks for; `next` and `prev` change only the page.
package struct ListQuery: Hashable, Sendable {
  package var page = 1
  /// Nil: the `page-size` setting.
  package var size: Int?
  package var search: String?
  package var columns: [Field]?
  package var layout: Listing.Layout = .table
  /// Nil: one page as the server gives it; else every page is read.
  package var scan: ScanQuery?

  package init() {}
}
