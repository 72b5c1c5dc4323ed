import Catalog

/// Products of one page, with what the market said about the whole list.
package struct Listing: Hashable, Sendable {
  package enum Layout: Hashable, Sendable { case table, grid }

  package var page: Page
  package var columns: [Field]?
  package var layout: Layout
  /// What the listing was restricted to, for the caption.
  package var search: String?

  package init(_ page: Page, columns: [Field]? = nil, layout: Layout = .table, search: String? = nil) {
    self.page = page
    self.columns = columns
    self.layout = layout
    self.search = search
  }
}
