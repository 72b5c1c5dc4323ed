import Catalog
import Pictures
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

/// Converts a report to the text of one format.
///
/// The same report and options always give the same text.
package protocol Renderer: Sendable {
  /// Returns the text, which ends with exactly one newline or is empty if there is nothing to show.
  func render(_ report: Report, _ options: RenderOptions) -> String
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

/// The options of the output: the language, the width, and the capabilities of the terminal.
package struct RenderOptions: Hashable, Sendable {
  package var language: MessageLanguage
  /// The number of cells in a line, or `nil` for no limit.
  package var width: Int?
  package var colors: Bool
  /// Draws lines and marks in ASCII only; data is not changed.
  package var usesASCII: Bool
  /// Counts ambiguous characters as two cells, as on terminals with East Asian fonts.
  package var treatsAmbiguousAsWide: Bool
  package var isTerminal: Bool
  /// Indicates whether the terminal supports hyperlinks.
  package var hasLinks: Bool

  package init(
    language: MessageLanguage = .english, width: Int? = nil, colors: Bool = false, usesASCII: Bool = false,
    treatsAmbiguousAsWide: Bool = false, isTerminal: Bool = false, hasLinks: Bool = false
  ) {
    self.language = language
    self.width = width
    self.colors = colors
    self.usesASCII = usesASCII
    self.treatsAmbiguousAsWide = treatsAmbiguousAsWide
    self.isTerminal = isTerminal
    self.hasLinks = hasLinks
  }

  /// The line ending of CSV: LF for a terminal or a program, CRLF (RFC 4180) for a file that a spreadsheet may open.
  package var csvLineEnding = LineEnding.lf

  /// These options for data that is read line by line.
  var onOneLine: RenderOptions {
    var options = self
    options.isTerminal = false
    return options
  }

  package var cells: WidthMeasurer { WidthMeasurer(ambiguousWide: treatsAmbiguousAsWide) }

  /// The width of a line, at least one cell; `nil` for no limit.
  var lineWidth: Int? { width.map { max(1, $0) } }

  /// Indicates that box drawing characters are not used.
  ///
  /// Their width is ambiguous, so terminals that show them wide get ASCII.
  var usesASCIILines: Bool { usesASCII || treatsAmbiguousAsWide || !isTerminal }

  var ellipsis: String { usesASCII ? ".." : "…" }
  var separator: String { usesASCII ? " - " : " · " }
}

/// The characters that end a line of text.
package enum LineEnding: String, Hashable, Sendable {
  case lf = "\n"
  case crlf = "\r\n"
}

/// Rows with named columns, for everything other than products: settings, history, outcomes.
package struct Table: Hashable, Sendable {
  /// A column: the key for programs and the title for users.
  package struct Column: Hashable, Sendable {
    /// The key in data formats.
    package var key: String
    /// The heading for users.
    package var title: LocalizedText
    package var isNumber: Bool
    /// The minimum width of text on a terminal, or `nil` for the default.
    package var least: Int?
    /// The order in which columns are omitted on a narrow terminal, the highest first; `nil` if it is always shown.
    package var dropOrder: Int?
    package init(
      _ key: String, _ title: LocalizedText, isNumber: Bool = false, least: Int? = nil, dropOrder: Int? = nil
    ) {
      self.key = key
      self.title = title
      self.isNumber = isNumber
      self.least = least
      self.dropOrder = dropOrder
    }
  }

  /// A cell: data for programs, text for users.
  package enum Cell: Hashable, Sendable {
    case none
    case text(String)
    case number(Int)
    /// An amount of money, with thousands separators for users.
    case amount(Amount)
    /// A decimal without separators, so that users can type it.
    case decimal(Amount)
    case bool(Bool)
    case localized(LocalizedText)
    case timestamp(Timestamp)
    /// Named values, such as the fields of a change: an object in JSON, `price 12000, stock 2` for users.
    case record([LabelledValue])
    case list([Cell])
  }

  /// A named value of a record.
  package struct LabelledValue: Hashable, Sendable {
    package var key: String
    package var cell: Cell
    package init(_ key: String, _ cell: Cell) {
      self.key = key
      self.cell = cell
    }
  }

  package var columns: [Column]
  package var rows: [[Cell]]
  /// Indicates a table of exactly one thing, which is a single object in JSON.
  package var isSingle: Bool
  private var forTerminal: [Table] = []

  /// The table that is shown on a terminal in place of this one.
  package var onTerminal: Table {
    get { forTerminal.first ?? self }
    set { forTerminal = [newValue] }
  }

  package init(_ columns: [Column], rows: [[Cell]], isSingle: Bool = false) {
    self.columns = columns
    self.rows = rows
    self.isSingle = isSingle
  }
}
