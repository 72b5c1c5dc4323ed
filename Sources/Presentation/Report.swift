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
  case text(LocalizedText)
  /// What a write did.
  indirect case written(WriteReceipt)
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
  /// How a list of products is laid out for people.
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

/// What a renderer must know of the reader: language, room on the screen, and what the terminal can show.
package struct RenderOptions: Hashable, Sendable {
  package var tongue: MessageLanguage
  /// Cells in a line; nil leaves lines as long as they are.
  package var width: Int?
  package var colors: Bool
  /// Lines and marks drawn with ASCII only; data keeps its letters.
  package var ascii: Bool
  /// Ambiguous letters take two cells, as in terminals set up for East Asian fonts.
  package var ambiguousWide: Bool
  package var isTerminal: Bool
  /// The terminal takes text that leads to an address.
  package var hasLinks: Bool

  package init(
    tongue: MessageLanguage = .english, width: Int? = nil, colors: Bool = false, ascii: Bool = false,
    ambiguousWide: Bool = false, isTerminal: Bool = false, hasLinks: Bool = false
  ) {
    self.tongue = tongue
    self.width = width
    self.colors = colors
    self.ascii = ascii
    self.ambiguousWide = ambiguousWide
    self.isTerminal = isTerminal
    self.hasLinks = hasLinks
  }

  /// The line ending of CSV: LF for a terminal or a program, CRLF (RFC 4180) in a file that a spreadsheet may open.
  package var csvLineEnding = LineEnding.lf

  /// The same options for data that is read line by line.
  var onOneLine: RenderOptions {
    var options = self
    options.isTerminal = false
    return options
  }

  package var cells: CellWidth { CellWidth(ambiguousWide: ambiguousWide) }

  /// Never below one cell; nil off a terminal that told no width.
  var lineWidth: Int? { width.map { max(1, $0) } }

  /// Box drawing is of ambiguous width, so a terminal that shows it wide gets plain lines.
  var drawsPlain: Bool { ascii || ambiguousWide || !isTerminal }

  var ellipsis: String { ascii ? ".." : "…" }
  var dot: String { ascii ? " - " : " · " }
}

/// The characters that end a line of text.
package enum LineEnding: String, Hashable, Sendable {
  case lf = "\n"
  case crlf = "\r\n"
}

/// Rows of named columns, for everything that is not a product: settings, history, outcomes.
package struct Table: Hashable, Sendable {
  /// One column: the key that programs see and the title that people see.
  package struct Column: Hashable, Sendable {
    /// The key in data formats.
    package var key: String
    /// The heading for people.
    package var title: LocalizedText
    package var isNumber: Bool
    package init(_ key: String, _ title: LocalizedText, isNumber: Bool = false) {
      self.key = key
      self.title = title
      self.isNumber = isNumber
    }
  }

  /// One cell: data for programs, words for people.
  package enum Cell: Hashable, Sendable {
    case none
    case text(String)
    case number(Int)
    /// An amount of money: grouped by thousands for people.
    case amount(Amount)
    /// A decimal that people see as programs do, so that it can be typed back.
    case decimal(Amount)
    case flag(Bool)
    case wording(LocalizedText)
    case moment(Timestamp)
    /// Named values, such as the fields a change concerned: an object in JSON, `price 12000, stock 2` for people.
    case record([Entry])
    case list([Cell])
  }

  /// One named value of a record.
  package struct Entry: Hashable, Sendable {
    package var key: String
    package var cell: Cell
    package init(_ key: String, _ cell: Cell) {
      self.key = key
      self.cell = cell
    }
  }

  package var columns: [Column]
  package var rows: [[Cell]]
  /// A table of exactly one thing prints as one JSON object.
  package var isSingle: Bool

  package init(_ columns: [Column], rows: [[Cell]], isSingle: Bool = false) {
    self.columns = columns
    self.rows = rows
    self.isSingle = isSingle
  }
}
