import Catalog
import Pictures
import Text

/// What a command has to show, before anyone decides how: renderers turn it into bytes.
package enum Report: Hashable, Sendable {
  case listing(Listing)
  /// A product, whole, or only those fields in that order.
  case product(Product, fields: [Field]?)
  case rows(Table)
  case drawing(Drawing)
  case message(Message)
  /// A plain text as data: a curl line, a help screen.
  case text(Wording)
  case several([Report])
  case nothing
}

/// Turns a report into the text of one format; the same report and options give the same bytes.
package protocol Renderer: Sendable {
  /// Ends with exactly one line end, or is empty when there is nothing to show.
  func render(_ report: Report, _ options: RenderOptions) -> String
}

/// Products of one page, with what the market said about the whole list.
package struct Listing: Hashable, Sendable {
  package enum Layout: Hashable, Sendable { case table, grid }

  /// What was read when the listing went through every page.
  package struct Scan: Hashable, Sendable {
    package var pagesRead: Int
    /// Products read before `where` chose among them.
    package var productsRead: Int
    package var complete: Bool
    /// The list changed while it was read.
    package var moved: Bool
    /// Reading stopped when there were enough.
    package var stoppedAtLimit = false

    package init(pagesRead: Int, productsRead: Int, complete: Bool, moved: Bool = false) {
      self.pagesRead = pagesRead
      self.productsRead = productsRead
      self.complete = complete
      self.moved = moved
    }
  }

  package var page: Page
  package var columns: [Field]?
  package var layout: Layout
  /// What the listing was restricted to, for the caption.
  package var search: String?
  /// What the cards of a grid show of each product, drawn as text; nothing where no pictures are shown.
  package var pictures: [Product.ID: TerminalPicture] = [:]
  /// The cells there is room for in every card.
  package static let pictureBox = (columns: 24, rows: 7)
  /// Nil for one page as the server gave it.
  package var scan: Scan?

  package init(
    _ page: Page, columns: [Field]? = nil, layout: Layout = .table, search: String? = nil, scan: Scan? = nil
  ) {
    self.page = page
    self.columns = columns
    self.layout = layout
    self.search = search
    self.scan = scan
  }
}
