import Catalog
import Images
import Text

/// The result of a command, independent of its format.
///
/// Renderers convert it to text.
package enum Report: Hashable, Sendable {
  case listing(Listing)
  /// A product with all fields, or only with the given ones in order.
  case product(Product, fields: [ProductField]?)
  case rows(Table)
  case drawing(Figure)
  case message(Message)
  /// Plain text: a curl line, a help page.
  case text(LocalizedText)
  /// The result of a write.
  indirect case receipt(WriteReceipt)
  case group([Report])
  case empty
}

/// The products of one page and the server's counts for the complete list.
package struct Listing: Hashable, Sendable {
  /// The layout of a list of products on a terminal.
  package enum Layout: Hashable, Sendable { case table, grid }

  /// The counts of a listing that read all pages.
  package struct Scan: Hashable, Sendable {
    package var pagesRead: Int
    /// The number of products read before filtering with `where`.
    package var productsRead: Int
    package var isComplete: Bool
    /// Indicates whether the list changed during the scan.
    package var changedDuringScan: Bool
    /// Indicates whether the scan stopped because it had enough products.
    package var reachedLimit = false

    package init(pagesRead: Int, productsRead: Int, isComplete: Bool, changedDuringScan: Bool = false) {
      self.pagesRead = pagesRead
      self.productsRead = productsRead
      self.isComplete = isComplete
      self.changedDuringScan = changedDuringScan
    }
  }

  package var page: Page
  package var columns: [ProductField]?
  package var layout: Layout
  /// The search text of the listing, for the caption.
  package var search: String?
  /// The pictures for the cards of a grid, rendered as text; empty if no pictures are shown.
  package var pictures: [Product.ID: TerminalPicture] = [:]
  /// The size of a picture in a card, in cells.
  package static let pictureBox = (columns: 24, rows: 7)
  /// The counts of the scan, or `nil` for one page as returned by the server.
  package var scan: Scan?

  package init(
    _ page: Page, columns: [ProductField]? = nil, layout: Layout = .table, search: String? = nil, scan: Scan? = nil
  ) {
    self.page = page
    self.columns = columns
    self.layout = layout
    self.search = search
    self.scan = scan
  }
}

/// Converts a report to the text of one format.
///
/// A renderer is deterministic: equal reports and options give equal texts.
package protocol Renderer: Sendable {
  /// Returns the text, which ends with exactly one newline or is empty if there is nothing to show.
  func render(_ report: Report, _ options: RenderOptions) -> String
}
